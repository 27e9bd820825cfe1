package docs_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/autocdc/autocdc/config/flowsql"
)

// fence finds the text of ```sql blocks.
var fence = regexp.MustCompile("(?s)```sql\n(.*?)```")

// composeFlows finds the flow file inside of docker-compose.yml.
var composeFlows = regexp.MustCompile(`(?s)\n  flows:\n    content: \|\n(.*?)(?:\n\S|\z)`)

// A reader copies examples: they have to parse. Blocks with an ellipsis are
// grammar, blocks without a flow are queries.
func TestDocuments_FlowsParse(t *testing.T) {
	t.Parallel()
	parsed := 0
	for _, name := range append(documents(t), root+"/docker-compose.yml") {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		blocks := append(fence.FindAllStringSubmatch(string(text), -1), composeFlows.FindAllStringSubmatch(string(text), -1)...)
		for _, b := range blocks {
			if !strings.Contains(b[1], "CREATE FLOW") || strings.Contains(b[1], "…") {
				continue
			}
			parsed++
			if _, err := flowsql.Parse(name, []byte(b[1])); err != nil {
				t.Errorf("%s: %v\nin:\n%s", name, err, b[1])
			}
		}
	}
	if parsed < 2 {
		t.Errorf("%d examples found: the README and the compose file have one each", parsed)
	}
}
