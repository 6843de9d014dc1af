import './types.css'
import { Checkbox } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { EventTypes } from '../../../../src/events/log/schema.ts'
import { Loading } from '../../../ui/parts.tsx'
import { ask } from '../../../ui/server.ts'
import { Marked } from '../../Marked.tsx'
import { Failure } from '../../parts.tsx'
import { meanings } from '../../texts/of-events.ts'
import { words } from './words.ts'

type Known = EventTypes['event_types'][number]

interface Choosing {
  readonly chosen: readonly string[]
  readonly choose: (chosen: readonly string[]) => void
}

/** Every type of event by what it is about, with what it means. */
export function Types(choosing: Choosing) {
  const { data, error, refetch } = useQuery({
    queryKey: ['event types'],
    staleTime: Infinity,
    queryFn: () => ask<EventTypes>('/event_types.json'),
  })
  if (error) return <Failure error={error} again={() => void refetch()} />
  if (!data) return <Loading lines={4} />
  const groups = Map.groupBy(data.event_types, ({ type }) => type.slice(0, type.indexOf('.')))
  return (
    <div className="types" role="group" aria-label={words.whatTypes}>
      {[...groups].map(([about, types]) => (
        <Group key={about} about={about} types={types} {...choosing} />
      ))}
    </div>
  )
}

interface GroupOf extends Choosing {
  readonly about: string
  readonly types: readonly Known[]
}

function Group({ about, types, chosen, choose }: GroupOf) {
  const toggle = (type: string) =>
    choose(chosen.includes(type) ? chosen.filter((one) => one !== type) : [...chosen, type])
  const count = types.filter(({ type }) => chosen.includes(type)).length
  return (
    <details className="api-call">
      <summary>
        {about}.* <span className="muted">{count > 0 ? `${count} / ${types.length}` : types.length}</span>
      </summary>
      <div className="choices">
        {types.map(({ type, meaning }) => (
          <Checkbox
            key={type}
            label={type}
            description={<Marked text={(meanings[type] ?? meaning).replace(REFERENCE, '')} />}
            checked={chosen.includes(type)}
            onChange={() => toggle(type)}
          />
        ))}
      </div>
    </details>
  )
}

/** Where a document says more: nobody has that at hand here. */
const REFERENCE = / \(`docs\/[^`]+`\)/
