import type { TxContext } from '../context.ts'
import { systemScope, type Scope } from '../access/scope.ts'
import { DAY } from '../lib/time.ts'
import type { ReviewCreate } from '../catalogue/reviews/schema.ts'
import { getReviews } from '../catalogue/reviews/service.ts'
import { asOf, type Demo, type DemoPart } from './part.ts'
import { writeReview } from '../licensing/reviews/write-review.ts'

interface DemoReview extends Omit<ReviewCreate, 'is_active'> {
  /** Days ago. */
  readonly made: number
  readonly isHidden?: true
}

const OF_FORMS: readonly DemoReview[] = [
  {
    made: 470,
    rate: 100,
    title: 'Set up before my coffee was cold',
    text: 'Our contact form was live in five minutes.\nThe old one had taken an afternoon.',
    name: 'Amara Okafor',
    job_title: 'Designer',
    company: 'Okafor Studio',
    company_url: 'https://okafor.example.com',
    is_featured: true,
  },
  {
    made: 380,
    rate: 80,
    title: 'Gut, mit einem Wunsch',
    text: 'Läuft seit Monaten ohne Störung. Mehr Vorlagen für Bewerbungen wären schön.',
    name: 'Lukas Brückner',
    company: 'Brückner Web',
    is_featured: true,
  },
  {
    made: 260,
    rate: 100,
    title: 'No entry was ever lost',
    text: 'We moved servers twice, and every answer came along.',
    name: "Grace O'Donnell",
    job_title: 'Head of operations',
    company: 'Harbour Sites',
    profile_url: 'https://people.example.com/grace',
    is_featured: true,
  },
  {
    made: 190,
    rate: 60,
    title: 'Does what it says',
    text: 'The builder took me a while.',
    name: 'Jakub Świątek',
  },
  {
    made: 120,
    rate: 100,
    title: 'とても使いやすい',
    text: 'スマートフォンでも入力しやすいフォームになりました。',
    name: '佐藤 美咲',
    is_featured: true,
  },
  { made: 45, rate: 20, title: 'Hmm', text: 'Wrong product, sorry.', name: 'Sami Väisänen', isHidden: true },
]

const OF_BOOKINGS: readonly DemoReview[] = [
  {
    made: 150,
    rate: 100,
    title: 'The telephone is quiet',
    text: 'Half of our appointments are booked at night now.',
    name: 'Priya Naidoo',
    company: 'Table Bay Tech',
    is_featured: true,
  },
  {
    made: 88,
    rate: 80,
    title: 'Todo en una semana',
    text: 'Los clientes reservan solos. Falta un aviso por mensaje de texto.',
    name: 'Lucía Fernández',
    company: 'Sur Digital',
  },
  {
    made: 30,
    rate: 40,
    title: 'No group bookings yet',
    text: 'Fine for one at a time.',
    name: 'Noa Ben-David',
  },
]

/** What people say of both products: praise that `pricing.json` shows, plain words, and one that is hidden. */
export const demoReviews: DemoPart = {
  async examples(ctx, demo) {
    const [review] = await getReviews(ctx, scopeOf(demo, demo.productId), {
      count: 1,
      offset: 0,
      sort: '-id',
    })
    return review ? { review_id: review.id } : null
  },
  async fill(tx, demo) {
    for (const one of OF_FORMS) await add(tx, scopeOf(demo, demo.productId), one)
    for (const one of OF_BOOKINGS) await add(tx, scopeOf(demo, demo.otherProductId), one)
  },
}

const scopeOf = ({ developerId }: Demo, productId: number): Scope => systemScope({ developerId, productId })

async function add(tx: TxContext, scope: Scope, { made, isHidden, ...review }: DemoReview): Promise<void> {
  const body = { ...review, is_active: !isHidden }
  await writeReview(asOf(tx, tx.clock.real() - made * DAY), scope, { body, files: {} })
}
