import type { Config } from '../../config.ts'
import { folderStorage } from './folder.ts'
import { s3Storage } from './s3.ts'
import type { Storage } from './storage.ts'

/** Where the configuration keeps archives: in a bucket, or in the data folder. */
export function storageOf({ dataDir, s3 }: Pick<Config, 'dataDir' | 's3'>): Storage {
  const folder = folderStorage(dataDir)
  return s3 === null ? folder : s3Storage(s3, folder)
}
