import { entity } from '../../http/entity.ts'
import { given, id, sealed, text, time } from '../../http/entity-fields.ts'
import { Optional, Text } from '../../http/wire.ts'

const Title = () => Text({ min: 1 })

/** An address, or empty: none. */
const address = <const Event extends 'store.url.updated' | 'store.dashboard_url.updated'>(
  description: string,
  told: Event,
) =>
  ({
    filled: true,
    initial: '',
    description: `${description}; empty: not said.`,
    told,
    ...given({
      schema: Optional(
        Text({ max: 2048, format: 'http-url-or-empty', description: `${description}; empty: none.` }),
      ),
    }),
  }) as const

/** Where a developer sells; it groups products. Fields in the order of the reply. */
export const STORE = entity(
  'stores',
  {
    id: id({ filled: true }),
    created: time({}),
    updated: time({ null: true }),
    developer_id: id({}),
    title: text({ create: { schema: Title() }, update: { schema: Optional(Title()) } }),
    url: text(address('Where it sells', 'store.url.updated')),
    dashboard_url: text(address('Where its buyers manage what they bought', 'store.dashboard_url.updated')),
    public_key: text({}),
    secret_key: sealed({
      description: 'For tokens and signed calls with all rights; a login has it shown by its password.',
      class: 'license keys',
      optional: true,
    }),
  },
  { told: null },
)
