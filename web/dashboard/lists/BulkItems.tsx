import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Bulk, BulkItem } from '../../../src/lists/bulk/schema.ts'
import { fill } from '../../shared/language.ts'
import { Rows } from '../../ui/Rows.tsx'
import { reasonInLanguage } from '../../ui/refusal.ts'
import { ask } from '../../ui/server.ts'
import { changeText, numberText } from '../format.tsx'
import { Failure } from '../parts.tsx'
import { usePlace } from '../place.ts'
import { listTexts } from '../texts/lists.ts'
import { texts } from '../texts/texts.ts'

/** The most of each that are shown: the interface has all. */
const MOST = 50

/** What was refused, one by one with its reason, then what is done. */
export function BulkItems({ of }: { readonly of: Bulk }) {
  return (
    <>
      {of.failed > 0 ? <Items of={of} state="failed" count={of.failed} /> : null}
      {of.done > 0 ? <Items of={of} state="done" count={of.done} /> : null}
    </>
  )
}

interface Part {
  readonly of: Bulk
  readonly state: 'failed' | 'done'
  readonly count: number
}

function Items({ of, state, count }: Part) {
  const { path, wayTo } = usePlace()
  const own = `${path}/bulk/${of.id}/items.json`
  const query = { state, count: MOST }
  const { data, error, refetch } = useQuery({
    // What is tried again comes anew.
    queryKey: [own, query, of.finished_at],
    queryFn: async () => {
      const { items } = await ask<{ readonly items: readonly BulkItem[] }>(own, query)
      return Promise.all(items.map(toldInLanguage))
    },
  })
  if (error) return <Failure error={error} again={() => void refetch()} />
  if (!data) return null
  const isRefused = state === 'failed'
  const title = isRefused ? listTexts.refused : of.is_dry_run ? listTexts.would : listTexts.did
  return (
    <section className="stack">
      <h3>{title}</h3>
      <Rows<BulkItem>
        label={title}
        rows={data}
        columns={[
          {
            label: 'ID',
            show: ({ id }) =>
              // What was deleted has no page.
              of.action === 'coupons.delete' ? (
                `#${id}`
              ) : (
                <Link {...wayTo(kindOf(of.action), id)}>#{id}</Link>
              ),
          },
          { label: isRefused ? listTexts.reason : listTexts.changes, show: isRefused ? reasonOf : changesOf },
        ]}
      />
      {count > MOST ? (
        <p className="muted">{fill(listTexts.more, { count: numberText(count - data.length) })}</p>
      ) : null}
    </section>
  )
}

async function toldInLanguage(item: BulkItem): Promise<BulkItem> {
  const { code, message } = item
  if (code === null || message === null) return item
  return { ...item, message: await reasonInLanguage(code, message) }
}

/** `licenses.extend` is done to a license. */
const kindOf = (action: Bulk['action']) => KINDS[action.split('.', 1)[0] as keyof typeof KINDS]

const KINDS = { licenses: 'license', coupons: 'coupon', users: 'user' } as const

const reasonOf = ({ message, code }: BulkItem) => message ?? code

/** `quota: 1 → 5` */
function changesOf({ changes }: BulkItem) {
  const all = Object.entries((changes ?? {}) as Readonly<Record<string, readonly [unknown, unknown]>>)
  if (all.length === 0) return texts.none
  return all.map(([name, change]) => `${name}: ${changeText(...change)}`).join(' · ')
}
