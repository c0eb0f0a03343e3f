/* Parses the messages of a mailbox, and prints the length of each part: with
 * the argument "decode" after its transfer encoding is decoded, else as it is
 * stored. */
#include <gmime/gmime.h>
#include <stdio.h>
#include <string.h>

static gboolean decode;

static void part(GMimeObject *parent, GMimeObject *p, gpointer data)
{
	GMimeDataWrapper *content = GMIME_IS_PART(p) ? g_mime_part_get_content(GMIME_PART(p)) : NULL;
	long length = 0;
	if (content && decode) {
		GMimeStream *null = g_mime_stream_null_new();
		length = g_mime_data_wrapper_write_to_stream(content, null);
		g_object_unref(null);
	} else if (content) {
		length = g_mime_stream_length(g_mime_data_wrapper_get_stream(content));
	}
	printf("%ld\n", length);
}

int main(int argc, char **argv)
{
	decode = argc > 2 && strcmp(argv[1], "decode") == 0;
	g_mime_init();
	GMimeStream *file = g_mime_stream_file_open(argv[argc - 1], "r", NULL);
	if (!file)
		return 2;
	GMimeParser *parser = g_mime_parser_new_with_stream(file);
	g_mime_parser_set_format(parser, GMIME_FORMAT_MBOX);
	while (!g_mime_parser_eos(parser)) {
		GMimeMessage *m = g_mime_parser_construct_message(parser, NULL);
		if (!m)
			break;
		g_mime_message_foreach(m, part, NULL);
		g_object_unref(m);
	}
	return 0;
}
