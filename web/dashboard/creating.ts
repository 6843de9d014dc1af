import { useLocation, useMatch, useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useBarred } from './may-write.ts'

/** What an address ends in that opens, on its page, what creates something there. */
export const CREATE = 'create'

let pages = 0

const bare = (pathname: string): string => pathname.replace(/\/$/, '')

/** Whether the page that is shown creates something. */
export const isCreating = (): boolean => pages > 0

/**
 * Whether what creates something on a page is open, and what opens and closes it: by its button, and by an address that
 * ends in `#create`, where the person may write what `group` is about.
 */
export function useCreating(group: string): [boolean, (isOpen: boolean) => void] {
  const [isOpen, setOpen] = useState(false)
  const { hash, pathname } = useLocation()
  const own = useMatch({ strict: false, select: (match) => match.pathname })
  // A page that is still shown while another one is loaded leaves that alone.
  const isHere = hash === CREATE && bare(own) === bare(pathname)
  const navigate = useNavigate()
  const mayCreate = useBarred(group) === null
  useEffect(() => {
    pages += 1
    return () => {
      pages -= 1
    }
  }, [])
  useEffect(() => {
    if (!isHere) return
    setOpen(mayCreate)
    void navigate({ to: '.', search: true, hash: '', replace: true } as never)
  }, [isHere, mayCreate, navigate])
  return [isOpen, setOpen]
}
