import { pageReader, type Context, type ReadContext } from '../../context.ts'
import type { Problems } from '../../http/decode.ts'
import type { Scope } from '../../access/scope.ts'
import { parseIdList } from '../../lib/id-list.ts'
import { parseTimeText } from '../../lib/time-text.ts'
import { listTrials } from './queries.ts'
import { presentTrial, type Trial, type TrialCancel, type TrialList, type TrialStart } from './schema.ts'

const NO_TIME = 'must be YYYY-MM-DD HH:MM:SS in UTC'
const REASONS = 15

/** The times of a list must be times. */
export async function checkTrialList({ from, to }: TrialList, problems: Problems): Promise<void> {
  for (const [field, text] of Object.entries({ from, to })) addTimeProblem(field, text, problems)
}

export async function checkTrialStart(body: TrialStart, problems: Problems): Promise<void> {
  addTimeProblem('trial_ends', body.trial_ends, problems)
}

/** Reasons are those of an uninstall (`docs/interface.md` 12.6). */
export async function checkTrialCancel({ reason_ids: ids }: TrialCancel, problems: Problems): Promise<void> {
  if (ids === undefined || (parseIdList(ids) ?? []).every((id) => id <= REASONS)) return
  problems.malformed.push({ field: 'reason_ids', message: `must be ids of reasons, 1 to ${REASONS}` })
}

function addTimeProblem(field: string, text: string | undefined, problems: Problems): void {
  if (text === undefined || parseTimeText(text, 'last second') !== null) return
  problems.malformed.push({ field, message: NO_TIME })
}

/** A page of the product's trials, newest first. */
export async function getTrials(
  ctx: ReadContext & Pick<Context, 'database'>,
  scope: Scope,
  { from, to, environment, count, offset }: TrialList,
): Promise<Trial[]> {
  const rows = await listTrials(pageReader(ctx, { offset }), scope, {
    from: (from !== undefined && parseTimeText(from, 'first second')) || undefined,
    to: (to !== undefined && parseTimeText(to, 'last second')) || undefined,
    environment,
    count,
    offset,
  })
  return rows.map(presentTrial)
}
