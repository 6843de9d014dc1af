import { useAtOnce } from '../ui/at-once.ts'

interface Switching<T> {
  /** Under which name what the page is about is kept, which is what the calls about it begin with. */
  readonly own: string
  /** What is written, where that is not there. */
  readonly to?: string
  /** What was done, in words. */
  readonly said: (change: Partial<T>) => string
}

/** Switches fields of what a page is about: at once, back with the reason where that is refused, and undone for a while. */
export const useSwitch = <T extends object>({ own, to = `${own}.json`, said }: Switching<T>) =>
  useAtOnce<T, Partial<T>>({
    queryKey: [own],
    shown: (data, change) => ({ ...data, ...change }),
    sent: (body) => ({ method: 'PUT', path: to, body }),
    undo: (change, before) => ({
      text: said(change),
      change: Object.fromEntries(Object.entries(before).filter(([name]) => name in change)) as Partial<T>,
    }),
  })
