import { resolveClone } from './resolve-clone.ts'
import { Type } from '../../lib/type.ts'
import { addTeamMember, checkTeamMember } from './add-team-member.ts'
import { checkClientEvent, recordEventOfInstall } from './client-events.ts'
import { agreeByToken, askForOwner, checkConfirmation, checkInstallIds } from '../owners/confirm-owner.ts'
import { sendVerification } from './read-install.ts'
import { readOperation, writeOperation } from '../../http/operation.ts'
import { Arguments, Fields, Id } from '../../http/wire.ts'
import { EventLog } from '../../events/log/schema.ts'
import { User } from '../../people/users/schema.ts'
import { noteClone } from './clones.ts'
import { OWNER_CHANGED } from './emits.ts'
import {
  AnonymousUninstall,
  CloneIds,
  CloneResolution,
  InstallClone,
  InstallMetadata,
  NewClone,
  PermissionChange,
  Skipped,
  Uninstall,
} from './part-schema.ts'
import { changePermissions } from './permissions.ts'
import {
  ClientEvent,
  NewTeamMember,
  OwnershipConfirmation,
  OwnershipStart,
  TeamMember,
  VerifyRequest,
} from './request-schema.ts'
import { InstallId } from './schema.ts'
import { checkSkipped, getUninstall, noteAnonymousUninstall, skip, skippedBy } from './uninstall.ts'

const seller = ['product', 'developer', 'store'] as const
const everybody = [...seller, 'user', 'install'] as const
const OwnerOf = Arguments({ install_id: Id('ID of the install.'), user_id: Id('ID of its owner.') })

const parts = [
  writeOperation({
    id: 'installations/create-clone',
    summary: 'Note that the data of an install is at work on a second site',
    method: 'POST',
    path: '/installs/{install_id}/clones.json',
    scopes: everybody,
    access: 'licenses.write',
    params: InstallId,
    query: Arguments(Fields),
    body: NewClone,
    status: 200,
    response: InstallClone,
    emits: [],
    handle: (ctx, { scope, params, body }) => noteClone(ctx, scope, params.install_id, body.site_url),
  }),
  writeOperation({
    id: 'installations/resolve-clone',
    summary: 'Say what a clone is',
    method: 'PUT',
    path: '/installs/{install_id}/clones/{clone_id}.json',
    scopes: everybody,
    access: 'licenses.write',
    params: CloneIds,
    query: Arguments(Fields),
    body: CloneResolution,
    status: 200,
    response: InstallClone,
    emits: [],
    refuses: ['clone_resolved'],
    handle: (ctx, { scope, params, body }) => resolveClone(ctx, scope, params, body),
  }),
  writeOperation({
    id: 'installations/update-permissions',
    summary: 'Switch on or off what an install may tell',
    method: 'PUT',
    path: '/installs/{install_id}/permissions.json',
    scopes: everybody,
    access: 'licenses.write',
    params: InstallId,
    body: PermissionChange,
    status: 200,
    response: InstallMetadata,
    emits: [
      'install.site.opt_in',
      'install.site.opt_out',
      'install.user.opt_in',
      'install.user.opt_out',
      'install.extensions.opt_in',
      'install.extensions.opt_out',
    ],
    handle: (ctx, { scope, params, body }) => changePermissions(ctx, scope, params.install_id, body),
  }),
  readOperation({
    id: 'installations/retrieve-uninstall-details',
    summary: 'Retrieve why an install was removed',
    method: 'GET',
    path: '/installs/{install_id}/uninstall.json',
    scopes: everybody,
    access: 'licenses.read',
    params: InstallId,
    query: Arguments(Fields),
    status: 200,
    response: Uninstall,
    handle: (ctx, { scope, params }) => getUninstall(ctx, scope, params.install_id),
  }),
  writeOperation({
    id: 'keywright/record-install-event',
    summary: 'Write down an event that an install tells of, under a name of its own',
    method: 'POST',
    path: '/installs/{install_id}/events.json',
    scopes: everybody,
    access: 'licenses.write',
    params: InstallId,
    body: ClientEvent,
    status: 200,
    response: EventLog,
    emits: [],
    check: (_, { body }, problems) => checkClientEvent(body, problems),
    handle: (ctx, { scope, params, body }) => recordEventOfInstall(ctx, scope, params.install_id, body),
  }),
]

const anonymous = [
  writeOperation({
    id: 'installations/uninstall-from-anonymous-site',
    summary: 'Note why a site that never opted in removed the product',
    method: 'PUT',
    path: '/uninstall.json',
    scopes: seller,
    caller: 'public',
    access: 'licenses.write',
    isAnybodys: true,
    body: AnonymousUninstall,
    status: 200,
    response: Type.String(),
    emits: [],
    refuses: ['invalid_uid'],
    handle: (ctx, { scope, body }) => noteAnonymousUninstall(ctx, scope, body),
  }),
  writeOperation({
    id: 'products/skip-account-connection',
    summary: 'Note that the owners of sites skipped the opt-in',
    method: 'PUT',
    path: '/skip.json',
    scopes: seller,
    caller: 'public',
    access: 'licenses.write',
    isAnybodys: true,
    body: Skipped,
    weightOf: ({ body }) => skippedBy(body).length,
    status: 204,
    emits: [],
    refuses: ['invalid_uid'],
    check: (_, { body }, problems) => checkSkipped(body, problems),
    handle: (ctx, { scope, body }) => skip(ctx, scope, body),
  }),
]

const people = [
  writeOperation({
    id: 'installations/send-verification-email',
    summary: 'Mail the owner of an install a link that proves its address',
    method: 'PUT',
    path: '/installs/{install_id}/users/{user_id}/verify.json',
    scopes: [...seller, 'install'],
    access: 'licenses.write',
    params: OwnerOf,
    body: VerifyRequest,
    status: 200,
    emits: [],
    handle: (ctx, { scope, params, body }) =>
      sendVerification(ctx, scope, params, body.after_email_confirm_url),
  }),
  writeOperation({
    id: 'keywright/ask-for-owner',
    summary: 'Ask the owner of an install and the next one, by mail, for a change of ownership',
    method: 'PUT',
    path: '/installs/{install_id}/users/{user_id}.json',
    scopes: [...seller, 'install'],
    access: 'licenses.write',
    params: OwnerOf,
    body: OwnershipStart,
    status: 200,
    response: User,
    emits: ['install.ownership.initiated'],
    check: (_, { body }, problems) => checkInstallIds(body, problems),
    handle: (ctx, { scope, params, body }) => askForOwner(ctx, scope, params, body),
  }),
  writeOperation({
    id: 'installations/change-ownership',
    summary: 'Agree to a change of ownership with the token of a mail; it is done when both sides have',
    method: 'PUT',
    path: '/installs/{install_id}/users/{user_id}/ownership-change.json',
    scopes: [...seller, 'install'],
    access: 'licenses.write',
    params: OwnerOf,
    body: OwnershipConfirmation,
    status: 200,
    orElsewhere: true,
    emits: OWNER_CHANGED,
    refuses: ['install_uid_taken'],
    check: (_, { body }, problems) => checkConfirmation(body, problems),
    handle: (ctx, { scope, params, body }) => agreeByToken(ctx, scope, params, body),
  }),
  writeOperation({
    id: 'developers/add-team-member',
    summary: 'Invite a person to the team of the account',
    method: 'POST',
    path: '/installs/{install_id}/members.json',
    scopes: ['developer'],
    access: 'members.write',
    isForNarrowed: false,
    params: InstallId,
    body: NewTeamMember,
    status: 200,
    response: TeamMember,
    emits: ['member.created', 'member.updated'],
    refuses: ['member_email_taken'],
    check: (_, { body }, problems) => checkTeamMember(body, problems),
    handle: (ctx, { scope, params, body }) => addTeamMember(ctx, scope, params.install_id, body),
  }),
]

export const installPartOperations = [...parts, ...anonymous, ...people]
