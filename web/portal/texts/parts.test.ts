import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeEn } from './change-en.ts'
import { enData } from './en-data.ts'
import { en } from './en.ts'
import { owningEn } from './owning-en.ts'
import { sellerEn } from './seller-en.ts'
import { subscriptionEn } from './subscription-en.ts'

test('no part of the words of the portal has a name that another part has', () => {
  for (const part of [changeEn, enData, owningEn, sellerEn, subscriptionEn])
    for (const [name, words] of Object.entries(part)) assert.equal(en[name as keyof typeof en], words, name)
})
