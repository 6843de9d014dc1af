import { Type } from '../../lib/type.ts'
import { readOperation, type AnyOperation } from '../../http/operation.ts'
import { OwnVersion, OwnVersionList, OwnVersionWanted } from '../versions/own-version-schema.ts'
import { DeploymentId } from '../versions/schema.ts'
import { archiveOfUser, versionsOfUser } from './versions-of-user.ts'

/** What who bought a product downloads of it. */
export const ownVersionOperations: readonly AnyOperation[] = [
  readOperation({
    id: 'keywright/list-own-versions',
    summary: 'List the versions that a user may download, the highest first, with what has changed in each',
    method: 'GET',
    path: '/tags.json',
    scopes: ['user'],
    access: 'deployments.read',
    portal: ['downloads'],
    query: OwnVersionList,
    status: 200,
    response: Type.Object({ tags: Type.Array(OwnVersion) }),
    items: 'tags',
    handle: async (ctx, { scope, query }) => ({ tags: await versionsOfUser(ctx, scope, query) }),
  }),
  readOperation({
    id: 'keywright/download-own-version',
    summary: 'Download a version that a user may have',
    method: 'GET',
    path: '/tags/{tag_id}.zip',
    scopes: ['user'],
    // It is counted, and may take the user's place among so many.
    access: 'licenses.write',
    portal: ['downloads'],
    params: DeploymentId,
    query: OwnVersionWanted,
    status: 200,
    produces: 'application/zip',
    handle: (ctx, { scope, params, query }) => archiveOfUser(ctx, scope, params.tag_id, query),
  }),
]
