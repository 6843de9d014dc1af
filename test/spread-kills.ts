import type { ImportReport } from '../src/imports/import-rows.ts'
import { PART } from '../src/imports/import-rows.ts'
import { randomFrom } from './outages.ts'

/** Given to a command as `NODE_OPTIONS`, with KILL_AT_COMMIT beside. */
export const KILL_HOOK = `--import=${import.meta.resolve('./kill-at-commit.ts')}`

/** The same for an import that reads another server, with KILL_AT_ANSWER beside. */
export const READING_HOOK = `--import=${import.meta.resolve('./kill-at-answer.ts')}`

/** At which answers an import is killed that reads so many: in the midst of the reading, and at its end. */
export const killsWhileReading = (answers: number): readonly [string, string] => [
  String(Math.ceil(answers / 2)),
  String(answers),
]

/** How many commits write what a dry run says that an import would add. */
export const commitsOf = ({ kinds }: Pick<ImportReport, 'kinds'>): number =>
  kinds.reduce((sum, { add }) => sum + Math.ceil(add / PART), 0)

/**
 * At which commits an import is killed that needs so many, each counted from where the one before has left off, as
 * `kill-at-commit` reads them: one in each tenth of the way, before or after a commit that follows from the seed.
 */
export function killsOver(commits: number, seed = 1): readonly string[] {
  const random = randomFrom(seed)
  let done = 0
  return Array.from({ length: 10 }, (_, n) => {
    const at = Math.max(done + 1, 1 + Math.floor(((n + random()) * (commits - 1)) / 10))
    const isBefore = random() < 0.5
    const kill = `${at - done} ${isBefore ? 'before' : 'after'}`
    done = isBefore ? at - 1 : at
    return kill
  })
}
