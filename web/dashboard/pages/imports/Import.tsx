import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { Import as Shown } from '../../../../src/imports/asked/schema.ts'
import { fill } from '../../../shared/language.ts'
import { Loading } from '../../../ui/parts.tsx'
import { Rows, type Column } from '../../../ui/Rows.tsx'
import { ask } from '../../../ui/server.ts'
import { numberText } from '../../format.tsx'
import { ApiCall, Failure, PageHead } from '../../parts.tsx'
import { usePlace } from '../../place.ts'
import { importTexts } from '../../texts/imports.ts'
import { NotTaken } from './NotTaken.tsx'
import { Outcome } from './Outcome.tsx'
import { Report } from './Report.tsx'
import { Steps, stepOf } from './Steps.tsx'
import { isInHand, nameOfSource } from './words.ts'

/** How often one is asked for that goes on of itself. */
const AGAIN_MS = 1_000

/** One import: how far it is, what it would do or has done, and what is wrong with its rows. */
export function Import() {
  const { accountPath } = usePlace()
  const { import: id = '' } = useParams({ strict: false })
  const path = `${accountPath}/imports/${id}`
  const { data, error, refetch } = useQuery({
    queryKey: [path],
    queryFn: () => ask<Shown>(`${path}.json`),
    refetchInterval: ({ state }) => (state.data && isInHand(state.data) ? AGAIN_MS : false),
  })
  const title = fill(importTexts.title, { id })
  if (data === undefined)
    return (
      <>
        <PageHead title={title} />
        {error ? <Failure error={error} again={() => void refetch()} /> : <Loading />}
      </>
    )
  return (
    <>
      <PageHead title={title} about={nameOfSource(data)} />
      <Steps at={stepOf(data)} />
      <div className="stack">
        <Outcome found={data} path={path} />
        <Report found={data} path={path} />
        <NotTaken found={data} />
        {data.kinds.length === 0 ? null : <Kinds found={data} />}
      </div>
      <ApiCall path={`${path}.json`} />
    </>
  )
}

type Kind = Shown['kinds'][number] & { readonly id: string }

const NUMBERS = ['looked_at', 'add', 'change', 'same', 'kept', 'bad', 'written'] as const
const LABELS = {
  looked_at: importTexts.rows,
  add: importTexts.add,
  change: importTexts.change,
  same: importTexts.same,
  kept: importTexts.kept,
  bad: importTexts.bad,
  written: importTexts.written,
}

/** Those that say something of some kind. */
const columnsOf = (kinds: Shown['kinds']): Column<Kind>[] => [
  { label: importTexts.kind, show: ({ kind }) => <code>{kind}</code> },
  ...NUMBERS.filter((name) => kinds.some((kind) => kind[name] > 0)).map((name) => ({
    label: LABELS[name],
    show: (kind: Kind) => numberText(kind[name]),
    isNumber: true as const,
  })),
]

function Kinds({ found }: { readonly found: Shown }) {
  return (
    <section className="stack">
      <h2>{importTexts.kinds}</h2>
      <Rows
        label={importTexts.kinds}
        columns={columnsOf(found.kinds)}
        rows={found.kinds.map((kind) => ({ ...kind, id: kind.kind }))}
      />
    </section>
  )
}
