import type { AuditEntry } from '../../../../src/accounts/audit/schema.ts'
import type { Plugin as Product } from '../../../../src/catalogue/products/schema.ts'
import { Time } from '../../format.tsx'
import type { Column } from '../../../ui/Rows.tsx'
import { texts } from '../../texts/texts.ts'

/** What the log is a table of; products by their titles. */
export const columnsOf = (products: readonly Product[]): readonly Column<AuditEntry>[] => [
  { label: texts.action, show: ({ action }) => <code>{action}</code> },
  {
    label: texts.actor,
    show: ({ actor: { kind, id, credential } }) => (
      <span>
        {id === '0' ? kind : `${kind} ${id}`} <code className="muted">{credential}</code>
      </span>
    ),
  },
  {
    label: texts.product,
    show: ({ plugin_id: of }) =>
      of === null ? texts.none : (products.find(({ id }) => id === of)?.title ?? `#${of}`),
  },
  { label: texts.address, show: ({ ip }) => ip ?? texts.none },
  { label: texts.happened, show: ({ created }) => <Time time={created} /> },
]
