import { Type } from '../../lib/type.ts'
import { readOperation, writeOperation, type AnyOperation } from '../../http/operation.ts'
import { Arguments, Fields } from '../../http/wire.ts'
import { deleteSetting, getSetting, getSettings, updateSetting, writeSetting } from './settings.ts'
import { Setting, SettingId, SettingUpdate, SettingWrite } from './settings-schema.ts'

const scopes = ['product', 'developer', 'store'] as const

export const settingOperations: readonly AnyOperation[] = [
  readOperation({
    id: 'keywright/list-settings',
    summary: 'List the settings of a product, by their type',
    method: 'GET',
    path: '/settings.json',
    scopes,
    access: 'catalogue.read',
    query: Arguments(Fields),
    status: 200,
    response: Type.Object({ settings: Type.Array(Setting) }),
    items: 'settings',
    handle: async (ctx, { scope }) => ({ settings: await getSettings(ctx, scope) }),
  }),
  writeOperation({
    id: 'keywright/write-setting',
    summary: 'Write the setting of a type, whether the product has it or not',
    method: 'PUT',
    path: '/settings.json',
    scopes,
    access: 'catalogue.write',
    query: Arguments(Fields),
    body: SettingWrite,
    status: 200,
    response: Setting,
    emits: [],
    handle: (ctx, { scope, body }) => writeSetting(ctx, scope, body),
  }),
  readOperation({
    id: 'products/retrieve-setting',
    summary: 'Retrieve a setting',
    method: 'GET',
    path: '/settings/{setting_id}.json',
    scopes,
    access: 'catalogue.read',
    params: SettingId,
    query: Arguments(Fields),
    status: 200,
    response: Setting,
    handle: (ctx, { scope, params }) => getSetting(ctx, scope, params.setting_id),
  }),
  writeOperation({
    id: 'products/update-setting',
    summary: 'Update a setting',
    method: 'PUT',
    path: '/settings/{setting_id}.json',
    scopes,
    access: 'catalogue.write',
    params: SettingId,
    query: Arguments(Fields),
    body: SettingUpdate,
    status: 200,
    response: Setting,
    emits: [],
    handle: (ctx, { scope, params, body }) => updateSetting(ctx, scope, params.setting_id, body),
  }),
  writeOperation({
    id: 'products/delete-setting',
    summary: 'Delete a setting: the product has again what it has without it',
    method: 'DELETE',
    path: '/settings/{setting_id}.json',
    scopes,
    access: 'catalogue.write',
    params: SettingId,
    status: 204,
    emits: [],
    handle: (ctx, { scope, params }) => deleteSetting(ctx, scope, params.setting_id),
  }),
]
