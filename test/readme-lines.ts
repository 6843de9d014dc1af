import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The README. */
export const readme = (): Promise<string> => readFile(join(import.meta.dirname, '../README.md'), 'utf8')

/** What a document has typed in a shell, a line each. */
export const typedIn = (document: string): string[] =>
  [...document.matchAll(/```sh\n([^]*?)```/g)].flatMap(([, block = '']) =>
    block.split('\n').filter((line) => line !== ''),
  )

/** What a section of the README has typed; a value that is to be filled in stands as `NAME=…   # field`. */
export async function linesOf(heading: string): Promise<string[]> {
  const [, section = ''] = (await readme()).split(new RegExp(`^##+ ${heading}\n`, 'm'))
  const [own = ''] = section.split(/^##/m)
  return typedIn(own)
}
