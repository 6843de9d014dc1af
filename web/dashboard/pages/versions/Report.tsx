import { useQuery } from '@tanstack/react-query'
import type { BuildReport } from '../../../../src/deployments/versions/schema.ts'
import { Rows, type Column } from '../../../ui/Rows.tsx'
import { Failure } from '../../parts.tsx'
import { Loading } from '../../../ui/parts.tsx'
import { ask } from '../../../ui/server.ts'
import { texts } from '../../texts/texts.ts'

interface Left {
  readonly id: string
  readonly what: string
  readonly file: string
  readonly line: number | null
}

const COLUMNS: readonly Column<Left>[] = [
  { label: texts.file, show: ({ file }) => <code>{file}</code> },
  { label: texts.what, show: ({ what }) => what },
  { label: texts.line, show: ({ line }) => line ?? texts.none, isNumber: true },
]

/** What the free build of a version has not, or why there is none. */
export function Report({ own }: { readonly own: string }) {
  const path = `${own}/report.json`
  const { data, error, refetch } = useQuery({ queryKey: [path], queryFn: () => ask<BuildReport>(path) })
  return (
    <section className="stack">
      <h2>{texts.freeReport}</h2>
      {error ? (
        <Failure error={error} again={() => void refetch()} />
      ) : data === undefined ? (
        <Loading lines={2} />
      ) : (
        <Told report={data} />
      )}
    </section>
  )
}

function Told({ report: { files, parts, no_free: why } }: { readonly report: BuildReport }) {
  if (why !== null) return <p className="note muted">{texts.noFree[why]}</p>
  const rows: readonly Left[] = [
    ...files.map((file) => ({ id: file, what: texts.parts.file, file, line: null })),
    ...parts.map(({ file, part, line }, at) => ({
      id: `${at}`,
      what: texts.parts[part],
      file,
      line,
    })),
  ]
  if (rows.length === 0) return <p className="note muted">{texts.nothingLeftOut}</p>
  return <Rows label={texts.freeReport} columns={COLUMNS} rows={rows} />
}
