/** Whether one of the paths, with or without a slash at its end, is this file or a folder that it is in. */
export function isIn(name: string, paths: ReadonlySet<string>): boolean {
  if (paths.has(name)) return true
  for (let at = name.indexOf('/'); at !== -1; at = name.indexOf('/', at + 1))
    if (paths.has(name.slice(0, at)) || paths.has(name.slice(0, at + 1))) return true
  return false
}
