import { Type } from '../../lib/type.ts'
import { readOperation, writeOperation } from '../../http/operation.ts'
import { Arguments, Fields, Paging } from '../../http/wire.ts'
import {
  ApiToken,
  ApiTokenId,
  IssuedToken,
  NewApiToken,
  NewDeveloperToken,
  OwnToken,
} from './api-token-schema.ts'
import {
  createApiToken,
  createDeveloperToken,
  endApiToken,
  endTokenOfAccount,
  getApiTokens,
  getOwnToken,
  getTokensOfAccount,
} from './own-api-tokens.ts'

const Page = Arguments({ ...Paging, ...Fields })

const ofProduct = [
  readOperation({
    id: 'keywright/list-api-tokens',
    summary: 'List the API tokens of a product, newest first, those that were revoked too',
    method: 'GET',
    path: '/tokens.json',
    scopes: ['developer'],
    access: 'tokens.read',
    query: Page,
    status: 200,
    response: Type.Object({ tokens: Type.Array(ApiToken) }),
    items: 'tokens',
    handle: async (ctx, { scope, query }) => ({ tokens: await getApiTokens(ctx, scope, query) }),
  }),
  writeOperation({
    id: 'keywright/create-api-token',
    summary: 'Issue an API token of a product; it is shown once',
    method: 'POST',
    path: '/tokens.json',
    scopes: ['developer'],
    access: 'tokens.write',
    body: NewApiToken,
    status: 201,
    response: IssuedToken,
    emits: [],
    handle: (ctx, { scope, body }) => createApiToken(ctx, scope, body),
  }),
  writeOperation({
    id: 'keywright/revoke-api-token',
    summary: 'Revoke an API token of a product',
    method: 'DELETE',
    path: '/tokens/{token_id}.json',
    scopes: ['developer'],
    access: 'tokens.write',
    params: ApiTokenId,
    status: 204,
    emits: [],
    handle: (ctx, { scope, params }) => endApiToken(ctx, scope, params.token_id),
  }),
]

const ofAccount = [
  readOperation({
    id: 'keywright/list-developer-tokens',
    summary:
      'List the API tokens of the account and of its products, newest first, those that were revoked too',
    method: 'GET',
    path: '/tokens.json',
    scopes: ['account'],
    access: 'tokens.read',
    query: Page,
    status: 200,
    response: Type.Object({ tokens: Type.Array(ApiToken) }),
    items: 'tokens',
    handle: async (ctx, { scope, query }) => ({ tokens: await getTokensOfAccount(ctx, scope, query) }),
  }),
  writeOperation({
    id: 'keywright/create-developer-token',
    summary: 'Issue an API token of the account, or of some of its products and rights; it is shown once',
    method: 'POST',
    path: '/tokens.json',
    scopes: ['account'],
    access: 'tokens.write',
    body: NewDeveloperToken,
    status: 201,
    response: IssuedToken,
    emits: [],
    handle: (ctx, { scope, body }) => createDeveloperToken(ctx, scope, body),
  }),
  writeOperation({
    id: 'keywright/revoke-developer-token',
    summary: 'Revoke an API token of the account or of any of its products, with those that it has made',
    method: 'DELETE',
    path: '/tokens/{token_id}.json',
    scopes: ['account'],
    access: 'tokens.write',
    params: ApiTokenId,
    status: 204,
    emits: [],
    handle: (ctx, { scope, params }) => endTokenOfAccount(ctx, scope, params.token_id),
  }),
]

/** What a program asks that was handed a token, and nothing else. */
const ofToken = readOperation({
  id: 'keywright/retrieve-token',
  summary: 'Say of the token that calls which account or product it opens, and what it may do there',
  method: 'GET',
  path: '/token.json',
  scopes: ['root'],
  caller: 'token',
  access: 'everybody',
  status: 200,
  response: OwnToken,
  handle: (ctx, { scope }) => getOwnToken(ctx, scope),
})

export const apiTokenOperations = [...ofProduct, ...ofAccount, ofToken]
