/** Path under which pictures stand. */
export const PICTURES_PATH = '/pictures/'

/** The address of a picture on the wire: a path of ours is led to this server, others stay as they are. */
export const pictureUrl = <T extends string | null>({ baseUrl }: { readonly baseUrl: string }, path: T): T =>
  (path?.startsWith(PICTURES_PATH) ? `${baseUrl}${path}` : path) as T
