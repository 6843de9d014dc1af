import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/**
 * Whether a test of a file names an argument: in its own text, or in the helpers and constants of the file that it uses
 * (and those that these use). A title that several tests begin with means all of them.
 */
export function touches(text: string, title: string, argument: string, setUp = ''): boolean {
  const parts = text.split(/^(?=\S)/m)
  const declared = parts.flatMap((part) => {
    const [, name] = /^(?:export )?(?:async )?(?:function|const|let|class) (\w+)/.exec(part) ?? []
    return name === undefined ? [] : [{ name, part }]
  })
  const blocks = text.split(/^(?=(?:test|describe|for)\b)/m)
  let used = blocks.filter((block) => block.includes(title)).join('') + setUp
  for (let before = -1; before < used.length;) {
    before = used.length
    for (const { name, part } of declared) if (!used.includes(part) && has(used, name)) used += part
  }
  return has(used, argument)
}

/** Whether a test touches a setting, which it may find as `before` has made it, also with helpers of `test/`. */
export async function touchesSetting(file: string, title: string, setting: string): Promise<boolean> {
  const text = await readFile(file, 'utf8')
  const imports = [...text.matchAll(/from '((?:\.\.\/)+test\/[\w/-]+\.ts)'/g)]
  const helpers = imports.map(([, path = '']) => readFile(join(dirname(file), path), 'utf8'))
  const setUp = text.split(/^(?=\S)/m).filter((part) => /^before(?:Each)?\(/.test(part))
  return touches([...(await Promise.all(helpers)), text].join('\n'), title, setting, setUp.join(''))
}

const has = (text: string, word: string) => text.match(/\w+/g)?.includes(word) === true
