import { Type } from '../../lib/type.ts'
import { cancelTrialOn } from './cancel-trial.ts'
import { startTrial } from './trials.ts'
import { readOperation, writeOperation } from '../../http/operation.ts'
import { userKeysShownTo } from '../../access/scope.ts'
import { Arguments, Fields } from '../../http/wire.ts'
import { parseIdList } from '../../lib/id-list.ts'
import { UserId } from '../../people/users/schema.ts'
import { LICENSE_OFF } from '../installs/emits.ts'
import { Install, InstallId, presentInstall } from '../installs/schema.ts'
import {
  AccountTrialList,
  ListedTrial,
  presentTrial,
  Trial,
  TrialCancel,
  TrialId,
  TrialList,
  TrialPlace,
  TrialStart,
  UserTrialList,
} from './schema.ts'
import {
  checkTrialCancel,
  checkTrialList,
  checkTrialStart,
  getTrial,
  getTrials,
  trialsOfAccount,
  trialsOfUser,
  totalOfTrials,
} from './service.ts'

const scopes = ['product', 'developer', 'store'] as const
const Listed = Type.Object({ trials: Type.Array(ListedTrial) })
const withInstall = [...scopes, 'install'] as const

export const trialOperations = [
  readOperation({
    id: 'trials/list',
    summary: 'List the trials of a product, newest first',
    method: 'GET',
    path: '/trials.json',
    scopes,
    access: 'licenses.read',
    query: TrialList,
    status: 200,
    response: Listed,
    items: 'trials',
    total: (ctx, { scope, query }) => totalOfTrials(ctx, scope, query),
    check: (_, { query }, problems) => checkTrialList(query, problems),
    handle: async (ctx, { scope, query }) => ({ trials: await getTrials(ctx, scope, query) }),
  }),
  readOperation({
    id: 'keywright/list-account-trials',
    summary: 'List the trials of all products of an account, newest first',
    method: 'GET',
    path: '/trials.json',
    scopes: ['account'],
    isForNarrowed: true,
    access: 'licenses.read',
    query: AccountTrialList,
    status: 200,
    response: Listed,
    items: 'trials',
    check: (_, { query }, problems) => checkTrialList(query, problems),
    handle: async (ctx, { scope, query }) => ({ trials: await trialsOfAccount(ctx, scope, query) }),
  }),
  readOperation({
    id: 'keywright/list-user-trials',
    summary: 'List the trials of a user, newest first',
    method: 'GET',
    path: '/users/{user_id}/trials.json',
    scopes: [...scopes, 'user'],
    access: 'licenses.read',
    portal: ['trials'],
    params: UserId,
    query: UserTrialList,
    status: 200,
    response: Type.Object({ trials: Type.Array(Trial) }),
    items: 'trials',
    handle: async (ctx, { scope, params, query }) => ({
      trials: await trialsOfUser(ctx, scope, params.user_id, query),
    }),
  }),
  readOperation({
    id: 'keywright/retrieve-trial',
    summary: 'Retrieve a trial',
    method: 'GET',
    path: '/trials/{trial_id}.json',
    scopes,
    access: 'licenses.read',
    params: TrialId,
    query: Arguments(Fields),
    status: 200,
    response: Trial,
    handle: (ctx, { scope, params }) => getTrial(ctx, scope, params.trial_id),
  }),
  writeOperation({
    id: 'installations/start-trial',
    summary: 'Let an install try a plan, once in its life',
    method: 'POST',
    path: '/installs/{install_id}/plans/{plan_id}/trials.json',
    scopes: withInstall,
    access: 'licenses.write',
    params: TrialPlace,
    query: Arguments(Fields),
    body: TrialStart,
    status: 200,
    response: Type.Object({ trial: Trial, ...Trial.properties }),
    emits: [
      'license.created',
      'license.activated',
      'install.plan.changed',
      'install.activated',
      'install.updated',
      'install.trial.started',
      'user.trial.started',
      'user.billing.updated',
    ],
    refuses: [
      'invalid_trial_token',
      'license_activated',
      'license_error',
      'product_not_sold',
      'trial_not_available',
      'trial_utilized',
    ],
    check: (_, { body }, problems) => checkTrialStart(body, problems),
    // Clients that start a trial themselves read it at the top (`docs/interface.md` 4.6).
    handle: async (ctx, { scope, params, body }) => {
      const trial = presentTrial(await startTrial(ctx, scope, params, body))
      return { trial, ...trial }
    },
  }),
  writeOperation({
    id: 'installations/cancel-trial',
    summary: 'End the trial of an install now',
    method: 'DELETE',
    path: '/installs/{install_id}/trials.json',
    scopes: withInstall,
    access: 'licenses.write',
    params: InstallId,
    query: TrialCancel,
    status: 200,
    response: Install,
    emits: [...LICENSE_OFF, 'license.cancelled', 'subscription.cancelled', 'install.trial.cancelled'],
    refuses: ['no_trial'],
    check: (_, { query }, problems) => checkTrialCancel(query, problems),
    handle: async (ctx, { scope, params, query: { reason_ids: ids, reason } }) => {
      const given = { ids: parseIdList(ids ?? '') ?? [], text: reason }
      const install = await cancelTrialOn(ctx, scope, params.install_id, given)
      return presentInstall(install, userKeysShownTo(scope, ctx.keys), scope)
    },
  }),
]
