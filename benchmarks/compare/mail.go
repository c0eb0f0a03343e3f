package main

import "fmt"

// measureMail measures mail: real mailboxes, and mailboxes made of encoded text. Real messages have
// headers, parts and damage. The encoded messages are mostly body, so they show the speed of the
// decoders.
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
			// The encoded file has its own size, because the bytes that are read count. Base64 is a
			// third larger than its text.
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

// measureSpool compares articles in separate files with the same articles in one mailbox. Both must
// give the same number of references.
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
	files.size = one.size // a mailbox adds only 32 bytes for each article
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
	to := paired(rows, row.speeds) // relative to the mailbox with the same number of workers
	for _, i := range []int{1, 3} {
		rows[i].goal = atLeast(fmt.Sprintf("%s: speed of files to that of one mailbox", rows[i].stages[0].args[0]), 0.6, to(rows[i]).median)
	}
	b.table(fmt.Sprintf("%s: articles, %.1f MB", in.name, float64(one.size)/1e6), rows, speedColumns, ratios(to), []column{goalColumn}, costColumns, foundColumns)
	return nil
}
