// Parses the messages of a mailbox, and prints the length of each part. The
// library decodes transfer encodings and charsets when it parses.
use mail_parser::{MessageParser, PartType};
use std::io::Write;

fn main() {
    let name = std::env::args().nth(1).expect("a file");
    let text = std::fs::read(name).expect("readable");
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let ends = memchr::memmem::find_iter(&text, b"\nFrom ")
        .map(|i| i + 1)
        .filter(|&i| text[..i].ends_with(b"\n\n") || text[..i].ends_with(b"\n\r\n"))
        .chain(std::iter::once(text.len()));
    let mut start = 0;
    for end in ends {
        if let Some(message) = MessageParser::default().parse(&text[start..end]) {
            for part in &message.parts {
                let length = match &part.body {
                    PartType::Text(t) | PartType::Html(t) => t.len(),
                    PartType::Binary(b) | PartType::InlineBinary(b) => b.len(),
                    PartType::Message(m) => m.raw_message.len(),
                    PartType::Multipart(_) => 0,
                };
                writeln!(out, "{}", length).expect("a writer");
            }
        }
        start = end;
    }
}
