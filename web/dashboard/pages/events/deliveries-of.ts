import type { Delivery } from '../../../../src/events/listeners/schema.ts'
import { ask } from '../../../ui/server.ts'

/** As many as the interface lists at a time. */
const PAGE = 50

interface Asked {
  readonly ids: readonly string[]
  readonly answer: Promise<readonly Delivery[]>
}

/** What is asked for at this moment, by the product's path. */
const asked = new Map<string, { readonly ids: string[]; readonly answer: Asked['answer'] }>()

/** How an event stands for each listener. What the rows of a page ask for at one moment is one request. */
export async function deliveriesOf(path: string, id: string): Promise<readonly Delivery[]> {
  const { ids, answer } = asked.get(path) ?? begin(path)
  ids.push(id)
  return (await answer).filter(({ event_id: of }) => of === id)
}

function begin(path: string) {
  const ids: string[] = []
  const answer = Promise.resolve().then(() => {
    asked.delete(path)
    return read(path, [...new Set(ids)].join(','))
  })
  const one = { ids, answer }
  asked.set(path, one)
  return one
}

/** Page by page, where they have more listeners than a page has room for. */
async function read(path: string, ids: string): Promise<readonly Delivery[]> {
  const found: Delivery[] = []
  for (let isMore = true; isMore;) {
    const query = { event_id: ids, count: PAGE, offset: found.length || undefined }
    const { deliveries } = await ask<{ readonly deliveries: readonly Delivery[] }>(
      `${path}/deliveries.json`,
      query,
    )
    found.push(...deliveries)
    isMore = deliveries.length === PAGE
  }
  return found
}
