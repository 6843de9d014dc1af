import { Type } from '../../lib/type.ts'
import { checkUpload, prepareVersion, releaseVersion } from './deploy-version.ts'
import { archiveFor, buildFor, downloadUrl } from '../downloads/download-version.ts'
import { latestVersion } from '../downloads/updates.ts'
import { ANYBODY } from '../downloads/seekers.ts'
import { readOperation, writeOperation, type AnyOperation } from '../../http/operation.ts'
import { Arguments, Fields } from '../../http/wire.ts'
import {
  BuildReport,
  BuildWanted,
  Deployment,
  DeploymentCreate,
  DeploymentFiles,
  DeploymentId,
  DeploymentList,
  DeploymentUpdate,
  LatestDeployment,
  LatestWanted,
  presentDeployment,
} from './schema.ts'
import {
  createDeployment,
  deleteDeployment,
  getBuildReport,
  getDeployment,
  getDeployments,
} from './service.ts'

const scopes = ['product', 'developer', 'store'] as const
const ZIP = 'application/zip'

/** Versions as their seller sees them. */
export const deploymentOperations: readonly AnyOperation[] = [
  readOperation({
    id: 'deployments/list',
    summary: 'List versions, the latest upload first',
    method: 'GET',
    path: '/tags.json',
    scopes,
    access: 'deployments.read',
    query: DeploymentList,
    status: 200,
    response: Type.Object({ tags: Type.Array(Deployment) }),
    items: 'tags',
    handle: async (ctx, { scope, query }) => ({ tags: await getDeployments(ctx, scope, query) }),
  }),
  writeOperation({
    id: 'deployments/create',
    summary: 'Upload a version, which nobody is offered before it is released',
    method: 'POST',
    path: '/tags.json',
    scopes,
    access: 'deployments.write',
    body: DeploymentCreate,
    files: DeploymentFiles,
    status: 200,
    response: Deployment,
    emits: ['plugin.version.deployed'],
    refuses: ['invalid_archive', 'tag_version_taken'],
    check: async (_, { received }, problems) => checkUpload(received, problems),
    prepare: (ctx, { scope, body, received }) => prepareVersion(ctx, scope, { body, file: received['file'] }),
    handle: (ctx, { scope }, prepared) => createDeployment(ctx, scope, prepared),
  }),
  readOperation({
    id: 'deployments/get-latest',
    summary: 'Retrieve the highest version, with an address to download it from',
    method: 'GET',
    path: '/tags/latest.json',
    scopes,
    access: 'deployments.read',
    query: LatestWanted,
    status: 200,
    response: LatestDeployment,
    handle: async (ctx, { scope, query }) => {
      const chosen = await latestVersion(ctx, scope, query)
      return {
        ...presentDeployment(chosen.row),
        url: downloadUrl(ctx, scope, { chosen, seeker: null, asked: null }),
      }
    },
  }),
  readOperation({
    id: 'deployments/download-latest',
    summary: 'Download the highest version',
    method: 'GET',
    path: '/tags/latest.zip',
    scopes,
    access: 'deployments.read',
    query: LatestWanted,
    status: 200,
    produces: ZIP,
    handle: async (ctx, { scope, query }) =>
      archiveFor(scope, await latestVersion(ctx, scope, query), ANYBODY),
  }),
  readOperation({
    id: 'keywright/retrieve-deployment',
    summary: 'Retrieve a version',
    method: 'GET',
    path: '/tags/{tag_id}.json',
    scopes,
    access: 'deployments.read',
    params: DeploymentId,
    query: Arguments(Fields),
    status: 200,
    response: Deployment,
    handle: async (ctx, { scope, params }) =>
      presentDeployment(await getDeployment(ctx, scope, params.tag_id)),
  }),
  writeOperation({
    id: 'deployments/update',
    summary: 'Release a version: to nobody, to the beta, to all, or to some',
    method: 'PUT',
    path: '/tags/{tag_id}.json',
    scopes,
    access: 'deployments.write',
    params: DeploymentId,
    query: Arguments(Fields),
    body: DeploymentUpdate,
    status: 200,
    response: Deployment,
    emits: [
      'plugin.version.released',
      'plugin.version.beta.released',
      'plugin.version.release.suspended',
      'plugin.version.updated',
    ],
    refuses: ['not_applicable'],
    handle: (ctx, { scope, params, body }) => releaseVersion(ctx, scope, params.tag_id, body),
  }),
  readOperation({
    id: 'deployments/download',
    summary: 'Download a version',
    method: 'GET',
    path: '/tags/{tag_id}.zip',
    scopes,
    access: 'deployments.read',
    params: DeploymentId,
    query: BuildWanted,
    status: 200,
    produces: ZIP,
    handle: async (ctx, { scope, params, query }) =>
      archiveFor(scope, buildFor(await getDeployment(ctx, scope, params.tag_id), query.is_premium), ANYBODY),
  }),
  readOperation({
    id: 'keywright/retrieve-build-report',
    summary: 'Retrieve what the free build of a version leaves out',
    method: 'GET',
    path: '/tags/{tag_id}/report.json',
    scopes,
    access: 'deployments.read',
    params: DeploymentId,
    status: 200,
    response: BuildReport,
    handle: (ctx, { scope, params }) => getBuildReport(ctx, scope, params.tag_id),
  }),
  writeOperation({
    id: 'keywright/delete-deployment',
    summary: 'Delete a version with its archives',
    method: 'DELETE',
    path: '/tags/{tag_id}.json',
    scopes,
    access: 'deployments.write',
    params: DeploymentId,
    status: 204,
    emits: ['plugin.version.deleted'],
    handle: (ctx, { scope, params }) => deleteDeployment(ctx, scope, params.tag_id),
  }),
  writeOperation({
    id: 'keywright/delete-deployment-archive',
    summary: 'The same, at the address that clients call',
    method: 'DELETE',
    path: '/tags/{tag_id}.zip',
    scopes,
    access: 'deployments.write',
    params: DeploymentId,
    status: 204,
    emits: ['plugin.version.deleted'],
    handle: (ctx, { scope, params }) => deleteDeployment(ctx, scope, params.tag_id),
  }),
]
