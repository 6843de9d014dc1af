import { checkTaxSettings, getTaxSettings, updateTaxSettings } from './tax-settings.ts'
import { readOperation, writeOperation, type AnyOperation } from '../../http/operation.ts'
import { Arguments, Fields } from '../../http/wire.ts'
import { TaxSettings, TaxSettingsUpdate } from './schema.ts'

const path = '/tax_settings.json'
const scopes = ['account'] as const

/** Ours: the tax settings of a seller. */
export const taxOperations: readonly AnyOperation[] = [
  readOperation({
    id: 'keywright/retrieve-tax-settings',
    summary: 'Retrieve what the account says of taxes, and how its invoices name it',
    method: 'GET',
    path,
    scopes,
    access: 'sales.read',
    query: Arguments(Fields),
    status: 200,
    response: TaxSettings,
    handle: (ctx, { scope }) => getTaxSettings(ctx, scope),
  }),
  writeOperation({
    id: 'keywright/update-tax-settings',
    summary: 'Say where the account collects taxes, and how its invoices name it',
    method: 'PUT',
    path,
    scopes,
    access: 'sales.write',
    body: TaxSettingsUpdate,
    status: 200,
    response: TaxSettings,
    emits: [],
    check: (_, { body }, problems) => checkTaxSettings(body, problems),
    handle: (ctx, { scope, body }) => updateTaxSettings(ctx, scope, body),
  }),
]
