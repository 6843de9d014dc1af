import { readFile, writeFile } from 'node:fs/promises'

/** A figure that Linux keeps of each process: `VmRSS` its memory now, `VmHWM` the most it ever had. */
export async function megabytesOf(pid: number, field: 'VmRSS' | 'VmHWM'): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  const [, kilobytes] = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status) ?? []
  return Number(kilobytes) / 1024
}

/** Has Linux count the most memory of a process from now on. */
export const forgetPeak = (pid: number): Promise<void> => writeFile(`/proc/${pid}/clear_refs`, '5')
