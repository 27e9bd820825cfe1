// Package arch holds the repository to what DESIGN.md and the style promise:
// which package imports which, how long a file or function may be, and what a
// test may not do. The rules are in arch_test.go; everything they need is read
// from the source text, so that they need no build.
package arch
