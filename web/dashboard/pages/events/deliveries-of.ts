import type { Delivery } from '../../../../src/events/listeners/schema.ts'
import { allOf } from '../../products.ts'

/** What is asked for at this moment, by the product's path. */
const asked = new Map<string, { readonly ids: string[]; readonly answer: Promise<readonly Delivery[]> }>()

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
    return allOf<Delivery>(`${path}/deliveries.json`, 'deliveries', { event_id: [...new Set(ids)].join(',') })
  })
  const one = { ids, answer }
  asked.set(path, one)
  return one
}
