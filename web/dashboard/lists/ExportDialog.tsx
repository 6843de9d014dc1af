import { Checkbox, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Export, ExportColumns, ExportKind } from '../../../src/lists/exports/schema.ts'
import { fill } from '../../shared/language.ts'
import { useDoing } from '../../ui/doing.tsx'
import { Dialog } from '../Dialog.tsx'
import { Loading } from '../../ui/parts.tsx'
import { ask, type Query } from '../../ui/server.ts'
import { Failure } from '../parts.tsx'
import { usePlace } from '../place.ts'
import { productsQuery } from '../products.ts'
import { listTexts } from '../texts/lists.ts'
import { texts } from '../texts/texts.ts'
import { ZONES } from '../zone.ts'
import { ExportUnderWay } from './ExportUnderWay.tsx'

interface Exported {
  readonly kind: ExportKind
  /** What the list is asked for by. */
  readonly query: Query
  readonly close: () => void
}

const FORMATS = [
  { value: 'csv', label: listTexts.csv },
  { value: 'jsonl', label: listTexts.jsonl },
]

/** Asks for a list to be written to a file, and shows how far that is. */
export function ExportDialog({ kind, query, close }: Exported) {
  const { accountPath, product } = usePlace()
  const [begun, setBegun] = useState<string | null>(null)
  const [left, setLeft] = useState<readonly string[]>([])
  const doing = useDoing<Export>(({ id }) => setBegun(id))
  const path = `${accountPath}/exports/columns.json`
  const { data, error, refetch } = useQuery({ queryKey: [path], queryFn: () => ask<ExportColumns>(path) })
  const title = fill(listTexts.exportTitle, { list: listTexts.kinds[kind] })
  if (begun !== null) return <ExportUnderWay id={begun} title={title} close={close} />
  const offered = data?.kinds.find((one) => one.kind === kind)
  const filter = filterOf(offered?.filter ?? [], query, product)
  const columns = offered?.columns ?? []
  const chosen = columns.filter((name) => !left.includes(name))
  const submit = (form: FormData) => {
    if (chosen.length === 0) return
    const said = { format: form.get('format'), time_zone: form.get('time_zone') }
    const body = { kind, filter, columns: chosen.join(','), ...said }
    doing.send({ method: 'POST', path: `${accountPath}/exports.json`, body })
  }
  return (
    <Dialog
      title={title}
      isOpen
      close={close}
      act={listTexts.begin}
      doing={doing}
      fields={['format', 'time_zone']}
      submit={submit}
    >
      <p>{listTexts.exportAll}</p>
      <Narrowed filter={filter} />
      <NativeSelect name="format" label={listTexts.format} data={FORMATS} error={doing.faultOf('format')} />
      <NativeSelect
        name="time_zone"
        label={texts.timeZone}
        description={listTexts.timeZoneHelp}
        error={doing.faultOf('time_zone')}
        data={ZONES}
      />
      {error ? (
        <Failure error={error} again={() => void refetch()} />
      ) : offered ? (
        <Columns names={columns} chosen={chosen} choose={setLeft} />
      ) : (
        <Loading lines={2} />
      )}
    </Dialog>
  )
}

/** What of the query of a list says which rows it has. */
function filterOf(names: readonly string[], query: Query, product: string): Readonly<Record<string, string>> {
  const given = Object.entries(query).flatMap(([name, value]) =>
    names.includes(name) && value !== undefined && value !== '' ? [[name, String(value)] as const] : [],
  )
  const of = names.includes('product_ids') && product !== '' ? { product_ids: product } : {}
  return { ...Object.fromEntries(given), ...of }
}

function Narrowed({ filter }: { readonly filter: Readonly<Record<string, string>> }) {
  const { account } = usePlace()
  const { data: products } = useQuery(productsQuery(account.developer_id))
  const entries = Object.entries(filter)
  if (entries.length === 0) return <p className="note">{listTexts.notNarrowed}</p>
  const told = (name: string, value: string): string => {
    if (name === 'environment') return value === '1' ? listTexts.sandbox : listTexts.live
    return name === 'product_ids' ? (products?.find(({ id }) => id === value)?.title ?? `#${value}`) : value
  }
  const parts = entries.map(([name, value]) => `${listTexts.filters[name] ?? name}: ${told(name, value)}`)
  return (
    <p className="note">
      {listTexts.narrowedBy} {parts.join(' · ')}
    </p>
  )
}

interface Choosing {
  readonly names: readonly string[]
  readonly chosen: readonly string[]
  readonly choose: (left: readonly string[]) => void
}

function Columns({ names, chosen, choose }: Choosing) {
  const left = names.filter((name) => !chosen.includes(name))
  const toggle = (name: string) =>
    choose(chosen.includes(name) ? [...left, name] : left.filter((one) => one !== name))
  return (
    <details className="api-call">
      <summary>{fill(listTexts.columnsChosen, { chosen: chosen.length, all: names.length })}</summary>
      <div className="choices" role="group" aria-label={listTexts.columns}>
        <Checkbox
          label={listTexts.allColumns}
          checked={left.length === 0}
          indeterminate={left.length > 0 && chosen.length > 0}
          onChange={() => choose(left.length === 0 ? names : [])}
        />
        {names.map((name) => (
          <Checkbox key={name} label={name} checked={chosen.includes(name)} onChange={() => toggle(name)} />
        ))}
      </div>
      {chosen.length === 0 ? <p role="alert">{listTexts.noColumn}</p> : null}
    </details>
  )
}
