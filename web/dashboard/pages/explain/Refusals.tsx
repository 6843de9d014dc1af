import { Link } from '@tanstack/react-router'
import type { Refusal } from '../../../../src/licensing/refused/schema.ts'
import { numberText, Time } from '../../format.tsx'
import type { Column } from '../../../ui/Rows.tsx'
import { Part } from '../../lists/Part.tsx'
import { usePlace } from '../../place.ts'
import type { Query } from '../../../ui/server.ts'
import { explainTexts } from '../../texts/of-explain.ts'
import { texts } from '../../texts/texts.ts'

const COLUMNS: readonly Column<Refusal>[] = [
  { label: texts.event, show: ({ occasion }) => explainTexts.occasions[occasion] },
  { label: texts.reason, show: ({ code }) => <code>{code}</code> },
  { label: texts.where, show: ({ url, uid }) => url ?? uid ?? texts.none },
  { label: texts.times, show: ({ count }) => numberText(count), isNumber: true },
  { label: texts.last, show: ({ last_at: time }) => <Time time={time} /> },
]

/** What clients were refused, each with the way to why. */
export function Refusals({ query }: { readonly query: Query }) {
  const { path } = usePlace()
  return (
    <Part<Refusal>
      title={explainTexts.refusals}
      path={`${path}/refusals.json`}
      items="refusals"
      query={query}
      columns={COLUMNS}
      actions={(refusal) => <Why refusal={refusal} />}
      empty={explainTexts.noRefusals}
      most={25}
    />
  )
}

function Why({ refusal: { license_id: license, uid, code } }: { readonly refusal: Refusal }) {
  const { account, product } = usePlace()
  if (license === null) return null
  return (
    <Link
      to="/$account/$product/explain"
      params={{ account: account.developer_id, product }}
      search={{ license, ...(uid !== null && { uid }) }}
      aria-label={`${texts.explainDo}: ${code}`}
    >
      {texts.explainDo}
    </Link>
  )
}
