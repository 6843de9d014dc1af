/**
 * Whether a test of a file names an argument: in its own text, or in the helpers and constants of the file that it uses
 * (and those that these use). A title that several tests begin with means all of them.
 */
export function touches(text: string, title: string, argument: string): boolean {
  const parts = text.split(/^(?=\S)/m)
  const declared = parts.flatMap((part) => {
    const [, name] = /^(?:export )?(?:async )?(?:function|const|let|class) (\w+)/.exec(part) ?? []
    return name === undefined ? [] : [{ name, part }]
  })
  const blocks = text.split(/^(?=(?:test|describe|for)\b)/m)
  let used = blocks.filter((block) => block.includes(title)).join('')
  for (let before = -1; before < used.length;) {
    before = used.length
    for (const { name, part } of declared) if (!used.includes(part) && has(used, name)) used += part
  }
  return has(used, argument)
}

const has = (text: string, word: string) => text.match(/\w+/g)?.includes(word) === true
