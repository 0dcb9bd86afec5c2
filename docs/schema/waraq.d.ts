/**
 * All that clients of Waraq say (Command, Ask) and hear (Feed, Event). What is said has no field
 * beyond these; what is heard may get more fields, and more kinds of message: ignore what you do
 * not know. docs/clients.md tells the conversation, docs/schema/README.md what may change.
 * Made by `waraq schema`: do not edit.
 */

/**
 * Made by the client: `m_` and the 32 hex digits of a UUIDv7.
 * Pattern: `^m_[0-9a-f]{32}$`.
 */
export type MatchId = string;

/**
 * Opaque. Names live elsewhere, so that erasing a player breaks no proof.
 * Pattern: `^u_[0-9a-z]{8,28}$`.
 */
export type PlayerId = string;

/**
 * What the service calls its rulesets, shuffles, keys and policies: no person writes one.
 * Pattern: `^[a-z0-9._-]{1,32}(@[0-9]{1,9})?$`.
 */
export type Name = string;

/**
 * Made by whoever speaks, at random: nobody may guess it. In a match it is accepted once.
 * Pattern: `^[0-9A-Za-z_-]{16,36}$`.
 */
export type CommandId = string;

/**
 * 32 bytes in hex: a hash, a seal, a seed, a nonce, a secret.
 * Pattern: `^[0-9a-f]{64}$`.
 */
export type Hex32 = string;

/**
 * A place at the table; the next one to play has the next number (H2).
 * At least 0. At most 3.
 */
export type Seat = number;

/**
 * Unix milliseconds.
 * At least 0. At most 253402300799999.
 */
export type Time = number;

/** At least 1. At most 100. */
export type Points = number;

/** At least 1. At most 99. */
export type MeldId = number;

/** At least 0. At most 9007199254740991. */
export type Move = number;

/** At least 1. At most 9999. */
export type Round = number;

export type Origin = "chance" | "ops" | "player" | "rule";

export type Level = "black" | "chrome" | "white";

export type Control = "house" | "owner";

export type AbandonReason = "expired" | "fault" | "operator";

/** How a match came to its end: played out, or abandoned and why. */
export type Outcome = "ended" | "expired" | "fault" | "operator";

export type Suit = "C" | "D" | "H" | "S";

/**
 * Rank and suit: `AS`, `TD`, `2C`.
 * Pattern: `^[2-9TJQKA][SHDC]$`.
 */
export type HokmCard = string;

/**
 * Rank, suit and which of the two copies: `9H1`, `9H2`; or a joker, `JK1`, `JK2`.
 * Pattern: `^([2-9TJQKA][SHDC][12]|JK[12])$`.
 */
export type HandCard = string;

/**
 * A card of either game; a shorter one's pattern would take a line's end as the third sign.
 * Pattern: `^([2-9TJQKA][SHDC][12]?|JK[12])$`.
 */
export type AnyCard = string;

/** More may come: ignore what you do not know. */
export type HandVariant = "classic" | "partnership" | "saudi" | "saudi_partnership";

export type HandRounds = 3 | 5 | 7 | 9;

/** More may come: ignore what you do not know. */
export type Options = HokmOptions | HandOptions;

/** More may come: ignore what you do not know. */
export type Score = HokmScore | HandScore;

/** What a seat does on its turn; such a command must name its `move`. */
export type GameAction = ChooseTrump | PlayCard | Draw | LayMelds | LayOff | SwapJoker | Discard;

export type Action =
  | ChooseTrump
  | PlayCard
  | Draw
  | LayMelds
  | LayOff
  | SwapJoker
  | Discard
  | OpenMatch
  | TakeSeat
  | LeaveSeat
  | AddNonce
  | StartMatch
  | RecordScore
  | Advise
  | AbandonMatch;

/** More may come: ignore what you do not know. */
export type RoundResult = HokmRound | HandRound;

/** More may come: ignore what you do not know. */
export type Body =
  | MatchOpened
  | SeatTaken
  | SeatLeft
  | NonceAdded
  | MatchStarted
  | CardsShuffled
  | SeatDrawn
  | HakemDrawn
  | FiveDealt
  | TrumpChosen
  | RestDealt
  | CardPlayed
  | TrickTaken
  | HandDealt
  | CardDrawn
  | FireTaken
  | MeldsLaid
  | CardLaidOff
  | JokerSwapped
  | CardDiscarded
  | RoundEnded
  | RoundRevealed
  | RoundScored
  | TurnTimedOut
  | ControlChanged
  | MatchEnded
  | MatchAbandoned;

/** More may come: ignore what you do not know. */
export type View = HokmView | HandView;

/** More may come: ignore what you do not know. */
export type StickerId =
  | "back_soon"
  | "good_luck"
  | "goodbye"
  | "hurry"
  | "laugh"
  | "oops"
  | "salam"
  | "sorry"
  | "thanks"
  | "thinking"
  | "well_played"
  | "wow";

/** More may come: ignore what you do not know. */
export type Feed = Happened | Refused | Snapshot | History | Advice | Sticker;

/** `id` is accepted at most once, for ever; `move` names the decision that is meant. */
export interface Command {
  readonly id: CommandId;
  /** Default: null. */
  readonly move?: Move | null;
  readonly action: Action;
}

/** H9: the hakem names trump, once. */
export interface ChooseTrump {
  readonly type: "choose_trump";
  readonly suit: Suit;
}

/** H12, H13: a card of one's own to the trick; a view's `playable` are those that may be. */
export interface PlayCard {
  readonly type: "play_card";
  readonly card: HokmCard;
}

/** N6: take a card from the stock, or the one on top of the fire pile. */
export interface Draw {
  readonly type: "draw";
  readonly from: "fire" | "stock";
}

/** Lay runs and sets; the first time their worth must reach the bar. */
export interface LayMelds {
  readonly type: "lay_melds";
  /** At least 1 items. At most 5 items. */
  readonly melds: readonly (readonly HandCard[])[];
}

/** Add a card to a meld on the table; `end` where a card or joker fits both ends of a run. */
export interface LayOff {
  readonly type: "lay_off";
  readonly meld: MeldId;
  readonly card: HandCard;
  /** Default: null. */
  readonly end?: "high" | "low" | null;
}

/** Take a joker out of a meld for the card that it stands for. */
export interface SwapJoker {
  readonly type: "swap_joker";
  readonly meld: MeldId;
  readonly card: HandCard;
}

/** Throw a card on the fire pile, which ends the turn. */
export interface Discard {
  readonly type: "discard";
  readonly card: HandCard;
}

/** Open the match whose id the client made; the speaker becomes its owner (H20). */
export interface OpenMatch {
  readonly type: "open_match";
  readonly options: Options;
  /** At least 2 items. At most 4 items. */
  readonly seats: readonly SeatPlan[];
  /**
   * SHA-256, in hex, of the code in the invitation link.
   * Default: null.
   */
  readonly invitation?: Hex32 | null;
  /** Default: null. */
  readonly ticket?: string | null;
}

/** H17, H19. The preset `hakem` is the default; 1 ≤ win ≤ kot ≤ hakem_kot is the desk's. */
export interface HokmOptions {
  readonly game: "hokm";
  /** Default: 2. */
  readonly target?: Points;
  /** Default: 1. */
  readonly win?: Points;
  /** Default: 2. */
  readonly kot?: Points;
  /** Default: 3. */
  readonly hakem_kot?: Points;
  /** Default: false. */
  readonly show_five_before_trump?: boolean;
}

/** N1. Three seats or two only where each plays alone; the number of rounds is final. */
export interface HandOptions {
  readonly game: "hand";
  readonly variant: HandVariant;
  /** At least 2. At most 4. */
  readonly seats: number;
  readonly rounds: HandRounds;
}

/** Who a seat is for. A house seat names its level, no other does. */
export interface SeatPlan {
  readonly seat: Seat;
  readonly filled_by: "anyone" | "house" | "invited" | "owner";
  /** Default: null. */
  readonly level?: Level | null;
}

/** Sit down at a free seat; `code` is the invitation's, for a seat that is `invited`. */
export interface TakeSeat {
  readonly type: "take_seat";
  readonly seat: Seat;
  /** Default: null. */
  readonly code?: string | null;
}

/** Get up. Before the start the seat is free again; after it the house plays it to the end. */
export interface LeaveSeat {
  readonly type: "leave_seat";
}

/** A player's own randomness, mixed into every shuffle of the match (docs/fair-deal.md). */
export interface AddNonce {
  readonly type: "add_nonce";
  readonly nonce: Hex32;
}

/** The owner alone may, once every seat is filled. */
export interface StartMatch {
  readonly type: "start_match";
}

/** Voice `scoring` only. `of` is the head at that round's `round_ended`. */
export interface RecordScore {
  readonly type: "record_score";
  readonly round: Round;
  readonly of: Hex32;
  readonly score: Score;
}

/** H16: the points of one round, for the side that won it. */
export interface HokmScore {
  readonly game: "hokm";
  readonly side: 0 | 1;
  readonly kind: "hakem_kot" | "kot" | "win";
  readonly points: Points;
}

/** The points of one round of Hand for each seat or side; `void`: nobody went out. */
export interface HandScore {
  readonly game: "hand";
  /** At most 4 items. */
  readonly penalties: readonly number[];
  readonly void: boolean;
}

/**
 * Voice `house<n>` only: the master's look (H21), relayed to the feed of who owns that seat. It is
 * no event, and no answer is given to it. The command's `move` is the one that it is for.
 */
export interface Advise {
  readonly type: "advise";
  readonly suggestion: Suggestion;
}

/**
 * What the bot would do. `actions`: the next one, then what it means to do in the rest of the
 * turn, as far as no card is drawn in between. `candidates`: the cards of Hokm that could be
 * played, one of those that do the same, the advised one first, then by chance; empty where
 * nothing was weighed.
 */
export interface Suggestion {
  /** At least 1 items. At most 24 items. */
  readonly actions: readonly GameAction[];
  readonly reason: Reason;
  /**
   * At most 13 items.
   * Default: [].
   */
  readonly candidates?: readonly Candidate[];
}

/** One reason, and the cards that its sentence names, the asker's own or on the table. */
export interface Reason {
  readonly why: "cash_winner" | "draw_trumps" | "long_suit" | "low_card" | "make_void" | "return_suit" | "ruff" | "save_for_partner" | "save_from_hakem_kot" | "draw_stock" | "finish_duty" | "free_joker" | "go_out" | "keep_from_next" | "lay_melds" | "lay_off" | "open_hand" | "take_fire" | "throw_useless";
  /** At most 15 items. */
  readonly cards: readonly AnyCard[];
}

/**
 * A card that could be played. `chance`: of winning the round with it, per mille, as far as the
 * seat can tell; `equal`: no worse than the best, as far as could be told.
 */
export interface Candidate {
  readonly card: HokmCard;
  /** At least 0. At most 1000. */
  readonly chance: number;
  readonly equal: boolean;
}

/** Voice `ops` only. */
export interface AbandonMatch {
  readonly type: "abandon_match";
  readonly reason: AbandonReason;
}

/**
 * `ask.<match>.<player>`; `since`: the history from the version after it; `sticker`: the one to
 * show, with `what` "sticker" only.
 */
export interface Ask {
  /** Default: "snapshot". */
  readonly what?: "advice" | "history" | "snapshot" | "sticker";
  /** Default: 0. */
  readonly since?: Move;
  /** Default: null. */
  readonly sticker?: StickerId | null;
}

/** `cards`: those it put into your hand. `command`: your command, if this answers it. */
export interface Happened {
  readonly type: "event";
  readonly event: Event;
  readonly head: Hex32;
  /** Default: []. */
  readonly cards: readonly string[];
  /** Default: null. */
  readonly command: CommandId | null;
}

/** `version` counts from 1 in its match; `time` is data and no clock. */
export interface Event {
  readonly match: MatchId;
  readonly version: number;
  readonly time: Time;
  readonly origin: Origin;
  readonly seat: Seat | null;
  readonly body: Body;
}

/** What is fixed from the first line on: rules, seats, seals. */
export interface MatchOpened {
  readonly type: "match_opened";
  /** `hokm@1` or `hand@1`; a match never changes it. */
  readonly ruleset: Name;
  readonly options: Options;
  readonly seats: readonly SeatPlan[];
  readonly owner: PlayerId;
  readonly invitation: Hex32 | null;
  /** SHA-256 of the match's secret (docs/fair-deal.md). */
  readonly seal: Hex32;
  /** The name of the shuffle: `waraq-shuffle@1`. */
  readonly shuffle: Name;
  /** The id of the master key that the secret comes from. */
  readonly key: Name;
  /** The version of the bots' policy. */
  readonly policy: Name;
}

/** Somebody sat down. */
export interface SeatTaken {
  readonly type: "seat_taken";
  readonly seat: Seat;
  readonly player: PlayerId;
}

/** Somebody got up. */
export interface SeatLeft {
  readonly type: "seat_left";
  readonly seat: Seat;
}

/** A player's randomness goes into every shuffle of the match (docs/fair-deal.md). */
export interface NonceAdded {
  readonly type: "nonce_added";
  readonly nonce: Hex32;
}

/** From here on the table, the clocks and the house see to it that the match ends. */
export interface MatchStarted {
  readonly type: "match_started";
}

/** `seal` is SHA-256 of the round's seed; the order itself is the row's secret. */
export interface CardsShuffled {
  readonly type: "cards_shuffled";
  readonly round: number;
  readonly label: "ace_draw" | "deal" | "stock1" | "stock2" | "stock3";
  readonly cards: number;
  readonly seal: Hex32;
}

/** A seat drawn by chance: who gets the first card, or who deals first. */
export interface SeatDrawn {
  readonly type: "seat_drawn";
  readonly label: "ace_draw" | "first_dealer";
  readonly seat: Seat;
}

/** H5: the cards shown, in order, and the seat that got the first ace. */
export interface HakemDrawn {
  readonly type: "hakem_drawn";
  readonly shown: readonly HokmCard[];
  readonly hakem: Seat;
}

/** H8: each seat has five cards; before trump is named only the hakem sees his (H10). */
export interface FiveDealt {
  readonly type: "five_dealt";
  readonly round: number;
  readonly hakem: Seat;
}

/** H9: the suit that the hakem named. */
export interface TrumpChosen {
  readonly type: "trump_chosen";
  readonly suit: Suit;
}

/** H8: each seat has its thirteen cards. */
export interface RestDealt {
  readonly type: "rest_dealt";
}

/** H12, H13: a card to the trick. */
export interface CardPlayed {
  readonly type: "card_played";
  readonly card: HokmCard;
}

/** `tricks`: per side, this one included. */
export interface TrickTaken {
  readonly type: "trick_taken";
  readonly by: Seat;
  readonly tricks: readonly [number, number];
}

/** N4: each seat has its fourteen cards, the starter (after the dealer) fifteen. */
export interface HandDealt {
  readonly type: "hand_dealt";
  readonly round: number;
  readonly dealer: Seat;
}

/** A card from the stock; `stock` is how many it has left. */
export interface CardDrawn {
  readonly type: "card_drawn";
  readonly stock: number;
}

/** The top card of the fire pile. */
export interface FireTaken {
  readonly type: "fire_taken";
  readonly card: HandCard;
}

/** Melds with ids from `first_id` on; `value`: their worth. `opening`: the seat's first. */
export interface MeldsLaid {
  readonly type: "melds_laid";
  readonly first_id: number;
  readonly melds: readonly (readonly HandCard[])[];
  readonly value: number;
  readonly opening: boolean;
}

/** A card added to a meld, at that end of a run. */
export interface CardLaidOff {
  readonly type: "card_laid_off";
  readonly meld: number;
  readonly card: HandCard;
  readonly end: "high" | "low" | null;
}

/** The card went into the meld, the joker into the player's cards. */
export interface JokerSwapped {
  readonly type: "joker_swapped";
  readonly meld: number;
  readonly card: HandCard;
  readonly joker: HandCard;
}

/** A card on the fire pile; the turn is over. */
export interface CardDiscarded {
  readonly type: "card_discarded";
  readonly card: HandCard;
}

/** The cards are down. Its points follow with `round_scored`, once they are recorded. */
export interface RoundEnded {
  readonly type: "round_ended";
  readonly round: number;
  readonly result: RoundResult;
}

/** A round of Hokm as it ended, `tricks` per side. */
export interface HokmRound {
  readonly game: "hokm";
  readonly hakem: Seat;
  readonly tricks: readonly [number, number];
}

/** A round of Hand as it ended: `left` are the cards that each seat still held. */
export interface HandRound {
  readonly game: "hand";
  readonly went_out: Seat | null;
  readonly hand: boolean;
  readonly opened: readonly boolean[];
  readonly left: readonly (readonly HandCard[])[];
}

/** What opens the round's seals: its seed, and its packs in the order of their shuffling. */
export interface RoundRevealed {
  readonly type: "round_revealed";
  readonly round: number;
  readonly seed: Hex32;
  readonly packs: readonly (readonly string[])[];
}

/** The round's points, and all points so far per seat or side. */
export interface RoundScored {
  readonly type: "round_scored";
  readonly round: number;
  readonly score: Score;
  readonly totals: readonly number[];
}

/** The seat's time was up at that move; what the house plays for it follows. */
export interface TurnTimedOut {
  readonly type: "turn_timed_out";
  readonly seat: Seat;
  readonly move: number;
}

/** Who plays the seat from now on: its owner, or the house for him (H24). */
export interface ControlChanged {
  readonly type: "control_changed";
  readonly seat: Seat;
  readonly control: Control;
}

/** `winner` is a side in games of two sides, else a seat; `secret` opens the match's seal. */
export interface MatchEnded {
  readonly type: "match_ended";
  readonly winner: number;
  readonly totals: readonly number[];
  readonly secret: Hex32;
}

/** The match ended without a winner; `secret` opens its seal. */
export interface MatchAbandoned {
  readonly type: "match_abandoned";
  readonly reason: AbandonReason;
  readonly secret: Hex32;
}

/** `command` is null where no id could be read. `move`: the match's present move. */
export interface Refused {
  readonly type: "refused";
  readonly match: MatchId;
  readonly command: CommandId | null;
  readonly code: Refusal;
  readonly move: number;
  /** Default: {}. */
  readonly args: Readonly<Record<string, number | string>>;
}

/**
 * Stable codes; docs/clients.md says what each asks of a client. More may come: ignore what you do
 * not know.
 */
export type Refusal =
  | "cannot_discard_taken_card"
  | "cannot_open"
  | "card_not_held"
  | "does_not_fit"
  | "draining"
  | "duplicate_card"
  | "fault"
  | "malformed"
  | "match_exists"
  | "match_over"
  | "must_follow_suit"
  | "must_open_first"
  | "must_place_joker"
  | "no_legal_finish"
  | "no_use_for_joker"
  | "not_a_meld"
  | "not_allowed"
  | "not_opened"
  | "not_seated"
  | "not_your_turn"
  | "opening_too_low"
  | "seat_taken"
  | "seen_cards"
  | "stale_move"
  | "ticket_invalid"
  | "too_many_jokers"
  | "unknown_match"
  | "unknown_meld"
  | "wrong_code"
  | "wrong_phase"
  | "wrong_swap_card";

/** All that the asker may know. `now`, `due`: Unix ms; `due` is advice, events end turns. */
export interface Snapshot {
  readonly type: "snapshot";
  readonly match: MatchId;
  readonly version: number;
  readonly head: Hex32;
  readonly now: number;
  readonly move: number;
  readonly due: number | null;
  readonly sitting: readonly Sitting[];
  readonly view: View | null;
  /**
   * The field is not there while the match goes on.
   * Default: null.
   */
  readonly over?: Outcome | null;
}

/** A seat: who owns it, who plays it, and if the house does at which level. */
export interface Sitting {
  readonly seat: Seat;
  readonly player: string | null;
  readonly control: Control;
  readonly level: Level | null;
}

/** `hand`, `playable`: the viewer's own; empty for a spectator. `left`: cards held, by seat. */
export interface HokmView {
  readonly game: "hokm";
  readonly options: HokmOptions;
  readonly phase: "choosing_trump" | "match_over" | "playing" | "scoring";
  readonly round: number;
  readonly hakem: Seat;
  readonly trump: Suit | null;
  readonly turn: Seat | null;
  readonly trick: readonly Play[];
  readonly earlier: readonly (readonly Play[])[];
  readonly tricks: readonly [number, number];
  readonly score: readonly [number, number];
  readonly left: readonly [number, number, number, number];
  readonly seat: Seat | null;
  readonly hand: readonly HokmCard[];
  readonly playable: readonly HokmCard[];
  readonly winner: 0 | 1 | null;
}

/** A card and whose it is. */
export interface Play {
  readonly seat: Seat;
  readonly card: HokmCard;
}

/**
 * `hand`: the viewer's own; empty for a spectator. `left`, `opened`: by seat. `bar`: what an
 * opening must be worth. `must_open`: the one on turn owes an opening. `must_place`: the jokers
 * that he freed. `taken`: his card from the fire. `drawn`: the card that he drew, told to himself
 * only. `totals`, `winner`: by seat, or by side in the partnership variants.
 */
export interface HandView {
  readonly game: "hand";
  readonly options: HandOptions;
  readonly phase: "act" | "discard_first" | "draw" | "match_over" | "scoring";
  readonly round: number;
  readonly dealer: Seat;
  readonly turn: Seat | null;
  readonly bar: number;
  readonly opened: readonly boolean[];
  readonly melds: readonly Meld[];
  readonly fire: readonly HandCard[];
  readonly tosses: readonly Toss[];
  readonly stock: number;
  readonly reshuffles: number;
  readonly left: readonly number[];
  readonly must_open: boolean;
  readonly must_place: readonly HandCard[];
  readonly taken: HandCard | null;
  readonly drawn: HandCard | null;
  readonly totals: readonly number[];
  readonly contenders: readonly number[];
  readonly seat: Seat | null;
  readonly hand: readonly HandCard[];
  readonly winner: number | null;
}

/** Cards that lie on the table together; a run's in order. */
export interface Meld {
  readonly id: number;
  readonly owner: Seat;
  readonly kind: "run" | "set";
  readonly cards: readonly HandCard[];
}

/** A card that was thrown on the fire pile, and who took it from there. */
export interface Toss {
  readonly seat: Seat;
  readonly card: HandCard;
  readonly taken_by: Seat | null;
}

/** A page of the past as the asker was told it; `more`: ask again with the last version. */
export interface History {
  readonly type: "history";
  readonly match: MatchId;
  readonly events: readonly Happened[];
  readonly more: boolean;
}

/** The master's look (H21): the best that can be done at that move. */
export interface Advice {
  readonly type: "advice";
  readonly match: MatchId;
  readonly move: number;
  readonly suggestion: Suggestion;
}

/** Who owns `seat` shows a sticker. It is in no log and no history: missed is missed. */
export interface Sticker {
  readonly type: "sticker";
  readonly match: MatchId;
  readonly seat: Seat;
  readonly sticker: StickerId;
}
