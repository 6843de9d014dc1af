import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { FIXTURES } from '../../../test/platform-imports.ts'
import { kindOf } from '../kinds/kinds.ts'
import { BESIDE } from './map.ts'
import { PLATFORMS } from './platforms.ts'
import { readRecords, valueAt } from './read-records.ts'
import { takesOf, usedFields } from './used-fields.ts'

for (const platform of Object.values(PLATFORMS)) {
  test(`${platform.name}: the map names only columns, sources and entities that there are`, () => {
    const names = new Set(platform.entities.map(({ name }) => name))
    for (const entity of platform.entities) {
      const columns = [...Object.keys(kindOf(entity.kind).columns), ...(BESIDE[entity.kind] ?? [])]
      for (const column of Object.keys(entity.columns))
        assert.ok(columns.includes(column), `${entity.kind}.${column}`)
      for (const take of takesOf(entity))
        if (take.take === 'reference') assert.ok(names.has(take.to), `${entity.name} → ${take.to}`)
    }
    for (const { source } of usedFields(platform))
      assert.ok(source === '' || Object.hasOwn(platform.sources, source), source)
  })

  test(`${platform.name}: every field that the map names is in its fixture`, async () => {
    const records = await readRecords(platform, join(FIXTURES, platform.name))
    for (const { source, field, meta } of usedFields(platform)) {
      const rows = (records.get(source) ?? []).filter(
        ({ values }) => meta === undefined || Object.values(values).includes(meta),
      )
      const isThere = rows.some(({ values }) => valueAt(values, field) !== undefined)
      assert.ok(source === '' || isThere, `${source}.${field} ${meta ?? ''}`)
    }
  })
}
