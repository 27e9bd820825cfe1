package flowsql

import "strings"

// longest is the length up to which words are compared; no name that can be
// meant is longer, and it bounds the work.
const longest = 64

// Nearest returns the candidate that a misspelled word most probably stands for,
// or "" if none is near. Case does not count.
func Nearest(word string, candidates []string) string {
	best, least := "", longest
	for _, c := range candidates {
		d := distance(strings.ToLower(word), strings.ToLower(c))
		if d <= tolerance(c) && d < least {
			best, least = c, d
		}
	}
	return best
}

// tolerance is how many slips a word of that length forgives.
func tolerance(word string) int { return min(max(len(word)/3, 1), 3) }

// distance counts the insertions, deletions, replacements and swaps of
// neighbours between a and b.
func distance(a, b string) int {
	if len(a) > longest || len(b) > longest {
		return longest
	}
	x, y := []rune(a), []rune(b)
	before, last, cur := make([]int, len(y)+1), make([]int, len(y)+1), make([]int, len(y)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(x); i++ {
		cur[0] = i
		for j := 1; j <= len(y); j++ {
			cur[j] = min(last[j]+1, cur[j-1]+1, last[j-1]+differ(x[i-1], y[j-1]))
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				cur[j] = min(cur[j], before[j-2]+1)
			}
		}
		before, last, cur = last, cur, before
	}
	return last[len(y)]
}

func differ(a, b rune) int {
	if a == b {
		return 0
	}
	return 1
}
