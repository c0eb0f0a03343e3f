package main

import "fmt"

// measureMail is the whole MIME way: mailboxes as they are, and text that is encoded.
// Real messages have headers, parts and damage; the encoded ones are nearly all
// body, so that they show the decoders.
func measureMail(b *bench) error {
	measured := func(in input, want float64) error {
		rows, err := b.rounds([]job{b.urlsift(in, "-j1", "--as", "auto")})
		if err != nil {
			return err
		}
		perCPU := func(r row) float64 { return float64(r.size) / 1e6 / r.cpu().median }
		rows[0].goal = atLeast(in.name+": MB per second of processor time", want, perCPU(rows[0]))
		b.table(in.String(), rows, speedColumns, []column{
			{"MB/CPU s", func(r row) string { return fmt.Sprintf("%.0f", perCPU(r)) }}, goalColumn,
		}, costColumns, foundColumns)
		return nil
	}
	for _, in := range b.inputs {
		if in.mailbox {
			if err := measured(in, 400); err != nil {
				return err
			}
			continue
		}
		for _, kind := range []string{"qp", "base64"} {
			file, err := b.made(kind, in)
			if err != nil {
				return err
			}
			file.name += " in " + kind
			// It has a size of its own. Base64 is a third more than its text, and
			// what is read is what counts.
			if err := file.prepare(); err != nil {
				return err
			}
			if err := measured(file, 700); err != nil {
				return err
			}
		}
	}
	return nil
}

// measureSpool is articles as files of their own against the same in one mailbox. Both
// are of the same messages, so both should find the same number of references.
func measureSpool(b *bench) error {
	in := b.first("news")
	if in.name != "news" {
		b.note("There is no input called news to cut articles from.")
		return nil
	}
	files, err := b.made("spool", in)
	if err != nil {
		return err
	}
	one, err := b.made("mbox", in)
	if err != nil {
		return err
	}
	if err := one.prepare(); err != nil {
		return err
	}
	files.size = one.size // what mailboxes add is 32 bytes an article
	var jobs []job
	for _, j := range []string{"-j1", fmt.Sprint("-j", b.workers)} {
		for _, x := range []struct {
			what string
			in   input
		}{{"the mailbox", one}, {"the spool", files}} {
			job := b.urlsift(x.in, j, "--as", "auto")
			job.name += ", " + x.what
			jobs = append(jobs, job)
		}
	}
	rows, err := b.rounds(jobs)
	if err != nil {
		return err
	}
	to := paired(rows, row.speeds) // to the mailbox with as many workers
	for _, i := range []int{1, 3} {
		rows[i].goal = atLeast(fmt.Sprintf("%s: speed of files to that of one mailbox", rows[i].stages[0].args[0]), 0.6, to(rows[i]).median)
	}
	b.table(fmt.Sprintf("%s: articles, %.1f MB", in.name, float64(one.size)/1e6), rows, speedColumns, ratios(to), []column{goalColumn}, costColumns, foundColumns)
	return nil
}
