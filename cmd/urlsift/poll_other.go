//go:build !unix

package main

func poll(uintptr, bool) {}
