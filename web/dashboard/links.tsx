import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { User } from '../../src/people/users/schema.ts'
import { nameOf } from './format.tsx'
import { usePlace } from './place.ts'
import { ask } from '../ui/server.ts'
import { texts } from './texts/texts.ts'
import type { Paged } from './ways.ts'

/** A customer by the name, with the page of that one behind it. */
export function CustomerLink({ id, name }: { readonly id: string | null; readonly name: string }) {
  const { wayTo } = usePlace()
  return id === null ? (
    <span className="muted">{texts.nobody}</span>
  ) : (
    <Link {...wayTo('user', id)}>{name}</Link>
  )
}

/** A user of the product, once it is there; null: of nobody nothing is asked. */
export function useUser(id: string | null): User | undefined {
  const { path } = usePlace()
  const own = `${path}/users/${id}`
  const { data } = useQuery({
    queryKey: [own],
    enabled: id !== null,
    queryFn: () => ask<User>(`${own}.json`),
  })
  return data
}

/** Whose something is, by the name, which is asked for. */
export function Owner({ id }: { readonly id: string | null }) {
  const user = useUser(id)
  return <CustomerLink id={id} name={user ? nameOf(user) : texts.loading} />
}

/** A thing by its number, with its page behind it; nothing is a dash. */
export function NumberLink({ kind, id }: { readonly kind: Paged; readonly id: string | null }) {
  const { wayTo } = usePlace()
  return id === null ? texts.none : <Link {...wayTo(kind, id)}>#{id}</Link>
}
