import { readFile, writeFile } from 'node:fs/promises'

/** A figure that Linux keeps of each process: `VmRSS` its memory now, `VmHWM` the most it ever had. */
export async function megabytesOf(pid: number, field: 'VmRSS' | 'VmHWM'): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  const [, kilobytes] = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status) ?? []
  return Number(kilobytes) / 1024
}

/** Has Linux count the most memory of a process from now on. */
export const forgetPeak = (pid: number): Promise<void> => writeFile(`/proc/${pid}/clear_refs`, '5')

/** What the memory of a process is, in MB that it has now. */
export interface MemoryParts {
  /** Files that are mapped: the program itself, and what databases share. */
  readonly files: number
  /** What C code has from the first arena of malloc, in which the main thread is. */
  readonly heap: number
  /** From the arenas of other threads. */
  readonly arenas: number
  /** The heaps of V8 of all threads, large pieces of malloc, and stacks. */
  readonly rest: number
}

/** Where the arenas of glibc begin, and how long they are at most. */
const ARENA = 64 * 1024 * 1024
const MAPPING = /^([0-9a-f]+)-([0-9a-f]+) (\S+) \S+ \S+ (\d+)\s*(.*)$/

/** What Linux tells of each mapping of a process. */
export async function memoryParts(pid: number): Promise<MemoryParts> {
  const parts = { files: 0, heap: 0, arenas: 0, rest: 0 }
  let part: keyof MemoryParts = 'rest'
  for (const line of (await readFile(`/proc/${pid}/smaps`, 'utf8')).split('\n')) {
    const [, start = '', end = '', , inode, name] = MAPPING.exec(line) ?? []
    if (end !== '') part = partOf({ start: Number.parseInt(start, 16), inode, name })
    const [, kilobytes] = /^Rss:\s+(\d+) kB$/.exec(line) ?? []
    if (kilobytes !== undefined) parts[part] += Number(kilobytes) / 1024
  }
  return parts
}

interface Mapping {
  readonly start: number
  readonly inode: string | undefined
  readonly name: string | undefined
}

function partOf({ start, inode, name }: Mapping): keyof MemoryParts {
  if (inode !== '0') return 'files'
  if (name === '[heap]') return 'heap'
  return name === '' && start % ARENA === 0 ? 'arenas' : 'rest'
}
