import { playHalf } from './reach-parts.ts'

playHalf(1)
