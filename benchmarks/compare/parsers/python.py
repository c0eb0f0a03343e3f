"""Parses the messages of a mailbox, and prints the length of each part after its transfer encoding is decoded."""
import mailbox
import sys

for message in mailbox.mbox(sys.argv[1], create=False):
    for part in message.walk():
        print(len(part.get_payload(decode=True) or b""))
