import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Random } from '../../test/model/random.ts'
import { mutantsOf, type Mutant } from './mutants.ts'

/** The modules whose lines are rules: who may what, for how much, until when. */
const MODULES = 'access,accounts,people,catalogue,deployments,licensing,sales,events,gateways'

/** Descriptions, tables and texts: their tests are the contract's. */
const DESCRIBING =
  /\.test\.ts$|\/migration\/|schema\.ts$|refusals\.ts$|\.entity\.ts$|\/samples\.ts$|\/templates\.ts$/

/** So many lines of rules, each with one mutant, the same for the same seed and tree; all of them before the last. */
export function sampleOf(root: string, { seed, count, only }: Choice): Mutant[] {
  const random = new Random(seed)
  const byLine = new Map<string, Mutant[]>()
  for (const file of globSync(`src/{${MODULES}}/**/*.ts`, { cwd: root }).toSorted()) {
    if (DESCRIBING.test(file)) continue
    for (const mutant of mutantsOf(file, readFileSync(join(root, file), 'utf8'))) {
      const line = `${file}:${mutant.line}`
      byLine.set(line, [...(byLine.get(line) ?? []), mutant])
    }
  }
  if (only.length > 0) return only.flatMap((line) => byLine.get(line) ?? [])
  const lines = [...byLine.values()]
  return Array.from({ length: Math.min(count, lines.length) }, () => {
    const [mutants = []] = lines.splice(random.below(lines.length), 1)
    return random.pick(mutants)
  })
}

interface Choice {
  readonly seed: number
  readonly count: number
  /** Lines as `file:line`; where there are any, all mutants of these and no others. */
  readonly only: readonly string[]
}
