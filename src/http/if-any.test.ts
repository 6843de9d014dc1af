// Runs on sqlite.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type Method, type TestApp } from '../../test/app.ts'
import { licenseOn, offerFor } from '../../test/licenses.ts'

let app: TestApp
let license: string
before(async () => {
  app = await startTestApp('if_any')
  const { id } = await licenseOn(app, await offerFor(app, 1))
  license = `/products/${app.seller.product.id}/licenses/${id}`
})
after(() => app.close())

const call = (method: Method, path: string, ifAny?: string) =>
  app.call(method, path, ifAny === undefined ? {} : { headers: { 'x-keywright-if-any': ifAny } })
const answer = async (method: Method, path: string, ifAny?: string) => {
  const { status, text } = await call(method, path, ifAny)
  return [status, text]
}

test('what is not there is answered by nothing to who takes that for an answer, and else refused', async () => {
  for (const name of ['note', 'subscription']) {
    const path = `${license}/${name}.json`
    assert.deepEqual(await answer('GET', path, '1'), [204, ''], name)
    assert.equal((await call('GET', path)).json.error.code, 'not_found', name)
    assert.equal((await call('GET', path, '0')).status, 404, name)
  }
})

test('who takes nothing for an answer is answered what is there', async () => {
  await app.call('POST', `${license}/note.json`, { body: { note: 'Ask Ada.' } })
  const { status, json } = await call('GET', `${license}/note.json`, '1')
  assert.deepEqual([status, json.note], [200, 'Ask Ada.'])
  await app.call('DELETE', `${license}/note.json`)
})

test('a write of what is not there, a path that leads nowhere and a wrong argument are refused all the same', async () => {
  assert.equal((await call('DELETE', `${license}/note.json`, '1')).status, 404)
  assert.equal((await call('GET', `${license}/nothing.json`, '1')).status, 404)
  assert.equal((await call('GET', license.replace(/\d+$/, 'x.json'), '1')).status, 400)
})
