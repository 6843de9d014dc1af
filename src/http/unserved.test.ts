import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operations } from '../app.ts'
import { BASE_PATH, mountsOf, type Mount } from './mounts.ts'
import { withoutRoutes } from './unserved.ts'

const mounts = mountsOf(operations)
const { routed, unserved } = withoutRoutes(mounts)
const hasRoute = new Set(routed)
const left = mounts.filter((mount) => !hasRoute.has(mount))

/** What a part of a path can be: a text, or what begins with anything and ends with one. */
const partOf = (part: string) => ({ isOpen: part.startsWith('{'), end: part.replace(/^\{\w+\}/, '') })
const parts = new Map(mounts.map((mount) => [mount, mount.path.split('/').map(partOf)]))

/** Whether there is a path that fits both. */
function mayMeet(one: Mount, other: Mount): boolean {
  const [own = [], others = []] = [parts.get(one), parts.get(other)]
  return (
    one.method === other.method &&
    own.length === others.length &&
    own.every((a, place) => {
      const b = others[place] ?? a
      if (!a.isOpen && !b.isOpen) return a.end === b.end
      return (a.isOpen && b.end.endsWith(a.end)) || (b.isOpen && a.end.endsWith(b.end))
    })
  )
}

const urlOf = ({ path }: Mount, id: string) => BASE_PATH + path.replaceAll(/\{\w+\}/g, id)

test('what is refused without a route could not be taken for what is served', () => {
  assert.ok(left.length > 500, `${left.length} of ${mounts.length}`)
  const met = left.filter((mount) => routed.some((other) => mayMeet(mount, other)))
  assert.deepEqual(met, [])
})

test('what could be taken for what is served keeps a route that refuses it', () => {
  const refused = routed.filter(({ served }) => !served).map(({ path }) => path)
  assert.ok(refused.includes('/users/{user_id}/plans/currencies.json'), refused.join())
})

test('an address that is refused without a route is found however it is spelled', () => {
  for (const mount of left) {
    const { method, path } = mount
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    for (const [id, read] of Object.entries({ '7': '7', 'a.b': 'a.b', '%2F': '/', '': '' })) {
      const params = unserved.paramsAt({ method, url: urlOf(mount, id) })
      assert.deepEqual({ ...params }, Object.fromEntries(names.map((name) => [name, read])), path)
    }
    assert.ok(
      unserved.paramsAt({ method, url: `${urlOf(mount, '7').replace('on', '%6Fn')}?fields=id` }),
      path,
    )
  }
})

test('an address at which nothing stands is none of them', () => {
  for (const path of ['/nothing.json', '/users/7/nothing.json', '/users/7/products/8/nothing/9.json'])
    assert.equal(unserved.paramsAt({ method: 'GET', url: BASE_PATH + path }), null, path)
  const [mount = assert.fail()] = left
  assert.equal(unserved.paramsAt({ method: 'PATCH', url: urlOf(mount, '7') }), null)
})
