import type { Import } from '../../../../src/imports/asked/schema.ts'
import { Rows, type Column } from '../../../ui/Rows.tsx'
import { numberText } from '../../format.tsx'
import { Marked } from '../../Marked.tsx'
import { importTexts } from '../../texts/imports.ts'

type Aside = Import['aside'][number] & { readonly id: string }

const COLUMNS: readonly Column<Aside>[] = [
  { label: importTexts.kind, show: ({ kind }) => <code>{kind}</code> },
  { label: importTexts.why, show: ({ reason }) => importTexts.reasons[reason] ?? <code>{reason}</code> },
  { label: importTexts.rows, show: ({ count }) => numberText(count), isNumber: true },
]

/** What of the source is no row here, counted, and what a platform has that does not come; nothing where there is none. */
export function NotTaken({ found: { aside, does_not_fit: noFit } }: { readonly found: Import }) {
  return (
    <>
      {aside.length === 0 ? null : (
        <section className="stack">
          <h2>{importTexts.aside}</h2>
          <Rows
            label={importTexts.aside}
            columns={COLUMNS}
            rows={aside.map((one) => ({ ...one, id: `${one.kind} ${one.reason}` }))}
          />
        </section>
      )}
      {noFit.length === 0 ? null : (
        <section className="stack">
          <h2>{importTexts.noFit}</h2>
          <ul className="prose">
            {noFit.map(({ what, why }) => (
              <li key={what}>
                <Marked text={`${what}: ${why}`} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}
