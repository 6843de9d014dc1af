// Runs on sqlite, slowly.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startDemo } from '../../test/demo.ts'
import { documentedLists, Lists, type Found } from '../../test/demo-lists.ts'
import { operations, refusals } from '../app.ts'
import { openApiDocument } from '../http/openapi.ts'
import { runDue } from '../jobs/worker.ts'
import { HOUR } from '../lib/time.ts'
import { EXPORT_KINDS, WHOLE } from '../lists/exports/kinds.ts'

type Shop = Awaited<ReturnType<typeof startDemo>>

/** What shows nothing in any product, and why. */
const EMPTY: Readonly<Record<string, string>> = {
  'keywright/list-bulk-items': 'nobody has done anything to many rows of the demo',
  'keywright/list-bulk-items state=done': 'nobody has done anything to many rows of the demo',
  'keywright/list-bulk-items state=failed': 'nobody has done anything to many rows of the demo',
  'keywright/list-bulk-items state=waiting': 'nobody has done anything to many rows of the demo',
  'keywright/list-bulks': 'nobody has done anything to many rows of the demo',
  'keywright/list-import-report': 'nobody has brought anything into the demo',
  'keywright/retrieve-import': 'nobody has brought anything into the demo',
  'keywright/list-imports': 'nobody has brought anything into the demo',
  'keywright/list-exports': 'nobody has exported anything of the demo',
  ...Object.fromEntries(
    [...EXPORT_KINDS, WHOLE].map(
      (kind) => [`keywright/list-exports kind=${kind}`, 'nobody has exported anything of the demo'] as const,
    ),
  ),
  'events/list state=pending': 'the demo calls nobody, so nothing waits to be told',
  'installations/list-installs environment=1': 'what was bought in the sandbox is on no site',
  'keywright/list-account-disputes environment=1': 'nobody disputes what was paid with test money',
  'keywright/list-disputes environment=1': 'nobody disputes what was paid with test money',
  'keywright/list-mails state=failed': 'every mail of the demo arrives',
  'keywright/preview-license-plan': 'it compares with a plan that must be named',
  'keywright/list-refusals environment=1': 'what was bought in the sandbox is on no site',
  'keywright/list-versions-figures environment=1': 'what was bought in the sandbox is on no site',
  'keywright/list-account-events environment=1': 'what belongs to no product is of no sandbox',
  'keywright/list-account-events state=error': 'no listener is told of what belongs to no product',
  'keywright/list-account-events state=pending': 'no listener is told of what belongs to no product',
  'keywright/list-account-events state=processed': 'no listener is told of what belongs to no product',
  'keywright/list-sandbox-timeline': 'nothing falls due in the sandbox before its clock is moved',
  'keywright/list-deliveries state=pending': 'the demo calls nobody, so nothing waits to be told',
  'keywright/list-webhook-deliveries state=pending': 'the demo calls nobody, so nothing waits to be told',
  'users/list-installs environment=1': 'what was bought in the sandbox is on no site',
}

/** Lists that show something on some days alone: what was tried or disputed, given back of late, or mailed. */
const isByDay = (one: string): boolean =>
  /^(?:trials\/list|keywright\/list-(?:account|user)-trials) filter=ended$|-disputes filter=open$|^keywright\/list-mails(?: state=(?:sent|pending)| environment=0)?$|^keywright\/list-refunds-figures/.test(
    one,
  )

/** The lists that only the first product has rows of, and why. */
const OF_FIRST: Readonly<Record<string, string>> = {
  'addons/list-plans': 'one product has an add-on',
  'addons/list-plans-features': 'one product has an add-on',
  'addons/list-pricings': 'one product has an add-on',
  'coupons/retrieve-special': 'one product has coupons of its own',
  'installations/list-plans-features-for-addon': 'one product has an add-on',
  'keywright/list-addon-pricing': 'one product has an add-on',
  'keywright/list-addons-of-install': 'one product has an add-on',
  'keywright/list-api-tokens': 'the demo prints a token of one product',
  'keywright/list-cards': 'one product was sold in its sandbox',
  'keywright/list-license-sites': 'one license names sites',
  'keywright/retrieve-addon-pricing': 'one product has an add-on',
  'keywright/list-refusals': 'clients of one product are refused',
  'keywright/list-sandbox-due': 'one product was sold in its sandbox',
  'products/list-addons': 'one product has an add-on',
}

/** What a list cannot be asked without. */
const NEEDED: Readonly<Record<string, string>> = {
  'installations/list-updates': 'version=1.0.0&',
  'keywright/search': 'q=1&',
}

const document = openApiDocument(operations, { baseUrl: '', refusals })
const lists = [...documentedLists(document, 'developer'), ...documentedLists(document, 'account')]

/** Which lists with which filters show nothing in any product, and which something in the first one alone. */
async function shownBy({ demo, ask }: Shop, found: readonly [Found, Found, Found]) {
  const account = { developer_id: String(demo.developerId) }
  const bundle = await bundleOf(ask, demo.developerId)
  const walkOf = (id: number | string, before: Found) =>
    new Lists(ask, { ...account, product_id: String(id) }, before)
  const first = walkOf(demo.productId, found[0])
  const other = walkOf(demo.otherProductId, found[1])
  const suite = walkOf(bundle, found[2])
  const empty: string[] = []
  const ofFirst: string[] = []
  for (const list of lists) {
    for (const query of ['', ...list.filters]) {
      const needed = NEEDED[list.id] ?? ''
      const shows = (walk: Lists) => walk.hasRows(list, `?${needed}${query}`)
      const isAlone = query === '' && !(list.id in EMPTY) && !(await shows(other)) && !(await shows(suite))
      if (isAlone) ofFirst.push(list.id)
      if ((await shows(first)) || (await shows(other)) || (await shows(suite))) continue
      empty.push(query === '' ? list.id : `${list.id} ${query}`)
    }
  }
  const always = (names: readonly string[]) => names.filter((one) => !isByDay(one)).toSorted()
  return { empty: always(empty), ofFirst: always(ofFirst) }
}

test('every list operation of the demo, with every filter that is documented, shows something, also weeks later', async (t) => {
  assert.ok(lists.length > 50)
  const shop = await startDemo(t, 'demo_lists')
  const found = [new Map(), new Map(), new Map()] as const
  for (const days of [0, 9, 21]) {
    for (let n = 0; n < days * 3; n++) {
      shop.ctx.clock.advance(8 * HOUR)
      await runDue(shop.ctx)
    }
    const { empty, ofFirst } = await shownBy(shop, found)
    // With time something falls due in the sandbox.
    const expected = Object.keys(EMPTY).filter(
      (one) => days === 0 || one !== 'keywright/list-sandbox-timeline',
    )
    assert.deepEqual(empty, expected.toSorted(), `${days} days later`)
    assert.deepEqual(ofFirst, Object.keys(OF_FIRST).toSorted())
  }
})

async function bundleOf(ask: (path: string) => Promise<unknown>, developerId: number): Promise<string> {
  const { plugins } = (await ask(`/developers/${developerId}/products.json?all=true`)) as {
    readonly plugins: readonly { readonly id: string; readonly type_alias: string }[]
  }
  return plugins.find(({ type_alias: alias }) => alias === 'bundle')?.id ?? assert.fail()
}
