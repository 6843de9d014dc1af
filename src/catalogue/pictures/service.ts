import { hash } from 'node:crypto'
import type { TxContext } from '../../context.ts'
import type { Problems } from '../../http/decode.ts'
import type { UploadedFile } from '../../http/body-arguments.ts'
import type { Scope } from '../../access/scope.ts'
import { pictureProblem, pictureType } from './picture.ts'
import { insertPicture } from './queries.ts'
import { PICTURES_PATH } from '../../lib/pictures.ts'

/** Adds to `problems` what is wrong with an uploaded picture (`docs/security-checks.md` S31). */
export function checkPicture(field: string, file: UploadedFile | undefined, problems: Problems): void {
  const problem = file && pictureProblem(file.bytes)
  if (problem) problems.malformed.push({ field, message: problem })
}

/** Keeps a checked picture; returns its path on this server, which is what rows hold. */
export async function storePicture(ctx: TxContext, scope: Scope, { bytes }: UploadedFile): Promise<string> {
  const mediaType = pictureType(bytes)
  if (mediaType === null) throw new Error('The picture was not checked.')
  const sha256 = hash('sha256', bytes)
  await insertPicture(ctx.db, {
    product_id: scope.productId,
    sha256,
    media_type: mediaType,
    bytes,
    created: ctx.clock.now(),
  })
  return `${PICTURES_PATH}${scope.productId}/${sha256}.${mediaType.slice('image/'.length)}`
}
