# What the host says in English. A message is one prompt; its attributes are other wordings of the same, said in turn.
# At night a prompt has about a second: the dreamer thinks, and while the host speaks nobody is heard.
# Names of roles and verdicts are terms, so that each is written once.

-role-fairy = fairy
-role-boogeyman = boogeyman
-role-sandman = sandman

## Every game: the host's own answers

pause_said = Paused. Say resume.
    .b = All right: paused.
    .c = The clock waits.
resume_said = On we go.
    .b = Welcome back.
    .c = And on.
not_paused = We are not paused.
undone = Undone.
    .b = Taken back.
nothing_to_undo = Nothing to undo.
repeat_nothing = Nothing to repeat.
time_left = { $seconds ->
    [1] One second.
   *[other] { $seconds } seconds.
    }
no_time = No clock runs.
reprompt_1 = Once more please?
    .b = Say that again?
reprompt_2 = Once more?
    .b = Pardon?
recording_begins = This evening is recorded.
voice_slower = Slower now.
voice_slowest = This is my slowest.
voice_faster = Faster now.
voice_fastest = This is my fastest.
voice_louder = Louder now.
voice_loudest = This is my loudest.
voice_softer = Softer now.
voice_softest = This is my softest.
voice_changed = My new voice.
voice_only_one = I have one voice.
microphone_lost = I cannot hear you: the microphone is gone. The clock stands still until it is back.
microphone_silent = I cannot hear you: the microphone brings nothing but silence. Switch it on, or open the lid.
loudspeaker_lost = Nobody can hear me: the loudspeaker is gone. The clock stands still; say resume to play on with the screen.
loudspeaker_back = You can hear me again. On we go.
recognizer_lost = One moment: I have to prick up my ears again.
voice_lost = I have lost my voice. The clock stands still; say resume to play on with the screen.
voice_back = I have my voice back. On we go.
machine_slow = One moment: this machine has too much to do.
machine_slept = This machine was asleep, and so was the clock.

## The lobby

welcome = Good evening, and welcome. I am your host tonight. Nobody needs to touch anything: just talk to me.
    .b = Welcome, all of you. Make yourselves comfortable; I look after the clock, the cards and the points.
    .c = Hello, and how nice that you are here. Talk to me as you talk to each other; I will do the rest.
ask_count = How many of you are playing?
    .b = How many are you at the table?
ask_count_again = How many are you? { $fewest } to { $most } can play.
    .b = Just say a number, from { $fewest } to { $most }.
count_heard = { $number } it is.
    .b = { $number }, lovely.
    .c = { $number } of you. A good number.
ask_name = { $position ->
    [1] Say your names, one at a time, clockwise. Who is the first?
   *[other] And next?
    }
    .b = { $position ->
    [1] Let us go round the table, clockwise. The first name, please?
   *[other] And on the left?
    }
    .c = { $position ->
    [1] Now your names, clockwise, one by one. Who begins?
   *[other] Who comes next?
    }
ask_name_again = Player { $position }, what is your name?
    .b = The name of player { $position }, please?
name_heard = { $player }.
    .b = Hello, { $player }.
    .c = { $player }, welcome.
    .d = Good to have you, { $player }.
names_heard = { $players }. Welcome, all of you.
    .b = Hello, { $players }.
name_dropped = I take { $player } back.
    .b = Not { $player }, then.
ask_oldest = And who is the oldest? That one dreams first.
    .b = Now the delicate question: who is the oldest? The oldest dreams first.
    .c = Age before beauty: who of you is the oldest?
ask_oldest_again = Who is the oldest?
    .b = Whoever is the oldest, just say that name.
oldest_heard = { $player } dreams first, then.
    .b = { $player } has earned the first dream.
ask_start = At the table, clockwise: { $players }. Shall we start?
    .b = I have { $players }. Say start when you are ready.
ask_start_again = Say start, and we begin.
    .b = Shall we start?
lobby_over = Wonderful. Dim the lights.
    .b = Lovely. Let us begin.
refuse_too_few_players = { $number ->
    [1] One alone is no party
   *[other] { $number } are too few
    }; find some friends, it takes at least { $fewest }.
refuse_too_many_players = { $number } are too many for one table; at most { $most } can play.
refuse_odd_players = With { $number } somebody would be without a partner; teams need an even number.
refuse_name_twice = We have { $player } already; please add a letter or use a nickname.
refuse_names_missing = { $count ->
    [1] One name is
   *[other] { $count } names are
    } still missing; say the next one, please.
refuse_more_names_than_players = Those were more names than the { $number } players you told me; say start over to count again.
refuse_no_score_yet = No points yet; first let us begin.
refuse_no_turn_yet = Nobody's turn yet; just answer me.

## When I Dream: evening

evening_begins = Tonight at the table: { $players }. Let the dreams begin.
    .b = { $players }: may your dreams be strange and your points many.
night_lasts = Tonight each night lasts { $seconds ->
    [one] one second
   *[other] { $seconds } seconds
    }.
night_unlimited = Tonight no night has a limit of time: the dreamer ends it by saying, I wake up.
clue_lasts = Each giver has { $seconds ->
    [one] one second
   *[other] { $seconds } seconds
    } for a clue.
clue_unlimited = Each giver may think for as long as it takes.
deal_roles = Please deal the role cards to all but { $dreamer }, and say ready when you have looked.
    .b = Deal a role card to everyone except { $dreamer }. Say ready when all have looked.
roles_dealt = Your roles are on your own screens. Keep a straight face.
    .b = You have your roles. Nobody look at a neighbour.
your_role = { $role ->
    [fairy] You are a { -role-fairy }: help the dreamer to right answers.
    [boogeyman] You are a { -role-boogeyman }: lead the dreamer astray.
   *[sandman] You are a { -role-sandman }: keep right and wrong in balance.
    }
night_falls = Night falls. { $dreamer }, close your eyes and sleep well. { $first } gives the first clue.
    .b = { $dreamer }, cover your eyes. The moon is up, and { $first } begins.
    .c = Hush. { $dreamer } falls asleep, and { $first } whispers the first clue.
ask_ready = { $dreamer } dreams next. Put on the blindfold and say ready.
    .b = The bed is made for { $dreamer }. Say ready when your eyes are covered.
    .c = Whose turn to sleep? { $dreamer }'s. Blindfold on, then say ready.
round_skipped = Without { $dreamer } this night does not count; we go on with the next.
player_left = Goodbye, { $player }. Sleep well.
    .b = { $player } leaves us. Good night, { $player }.
player_joined = Welcome, { $player }. There is a seat for you.
    .b = { $player } joins us. How nice.
too_few_left = We are too few to dream now, so the evening ends here.
stopped = Then we stop here. Thank you for the evening.
    .b = We stop. It was a pleasure to be your host.
evening_over = All dreams are dreamed. Now let us count.
    .b = The last dream is over. Here is how it ends.
penalty_points = { $player } gives back { $count ->
    [1] one point for a penalty card.
   *[other] { $count } points for penalty cards.
    }
final_total = { $player }: { $points ->
    [-1] minus one point.
    [1] one point.
   *[other] { $points } points.
    }
winner = { $player } wins with { $points ->
    [-1] minus one point
    [1] one point
   *[other] { $points } points
    }. Sweet dreams, all of you.
    .b = The best dreamer of all is { $player }, with { $points ->
    [-1] minus one point
    [1] one point
   *[other] { $points } points
    }. Bravo, and good night.
winners = { $players } share the victory with { $points ->
    [-1] minus one point
    [1] one point
   *[other] { $points } points
    } each. Sweet dreams, all of you.

## When I Dream: night, about a second each

turn = { $player }?
    .b = { $player }.
turn_waits = { $player }?
guess_noted = { $word }.
    .b = { $word }, noted.
guess_corrected = { $word }, then.
clue_tapped = A clue: { $word }.
    .b = The clue is { $word }.
card_given_up = Next card.
    .b = A new card.
foul_called = Foul, new card.
foul_withdrawn = No foul.
countdown = { $seconds } seconds.
last_guess = Last guess?

## When I Dream: dawn and day

night_over = The night is over. { $dreamer }, keep your eyes covered and tell us your dream. End it with: I wake up.
    .b = A cock crows, but your eyes stay closed. What did you dream, { $dreamer }? Say I wake up at the end.
    .c = { $dreamer }, slowly now, eyes still covered: tell us all you dreamed, and then say I wake up.
dream_told = What a dream.
    .b = And that was the dream.
    .c = A dream to remember.
day_breaks = Good morning, { $dreamer }. You may take off the blindfold.
    .b = Rise and shine, { $dreamer }. Open your eyes.
    .c = The sun is up. Good morning, { $dreamer }, off with the blindfold.
review_begins = { $count ->
    [0] No card was guessed tonight.
    [1] One card came up tonight.
   *[other] Let us look at the { $count } cards of the night.
    }
    .b = { $count ->
    [0] There is no card to look at.
    [1] There was one card.
   *[other] { $count } cards were dreamed of. Here they are.
    }
review_guess = Card { $number }: the word was { $word }, I heard { $heard }: { $verdict ->
    [right] right.
    [unsure] I was not sure, so it counts as wrong.
   *[wrong] wrong.
    }
    .b = Card { $number }, { $word }. I heard { $heard }: { $verdict ->
    [right] that is right.
    [unsure] too far off for me to be sure, so it counts as wrong.
   *[wrong] that is wrong.
    }
review_given_up = Card { $number }, { $word }, was given up.
    .b = Card { $number } was { $word }. That one was given up.
review_penalty = { $player } keeps { $word } as a penalty card.
    .b = A penalty card for { $player }: { $word }.
review_nothing = No card was guessed tonight. A deep and dreamless sleep.
ask_objections = Any objections? Say appeal and the number of the card, or no objections.
    .b = Is that fair? If not, say appeal and the number of the card. If it is, say no objections.
    .c = Does anyone appeal? Name the card, or say no objections.
appeal_opened = Card { $number } is appealed. Say agree or disagree.
    .b = Let the table judge card { $number }: agree, or disagree?
appeal_granted = The appeal is granted: card { $number } is now { $verdict ->
    [right] right.
   *[wrong] wrong.
    }
    .b = So be it: card { $number } counts as { $verdict ->
    [right] right.
   *[wrong] wrong.
    }
appeal_denied = The appeal fails: card { $number } stays as it is.
    .b = Not enough voices, so card { $number } stays as it is.
ask_roles = Masks off. { $players }, who were you? Say it like this: I was the fairy, or give a name first.
    .b = Now show your cards, { $players }. Say your name and your role.
role_heard = { $player }, { $role ->
    [fairy] a { -role-fairy }.
    [boogeyman] a { -role-boogeyman }.
   *[sandman] a { -role-sandman }.
    }
    .b = So { $player } was { $role ->
    [fairy] a { -role-fairy }.
    [boogeyman] a { -role-boogeyman }.
   *[sandman] a { -role-sandman }.
    }
roles_missing = I still need the role of { $players }.
    .b = And { $players }?
roles_cleared = Let us begin anew with the roles: { $players }, what were you?
role_shown = { $player } was { $role ->
    [fairy] a { -role-fairy }.
    [boogeyman] a { -role-boogeyman }.
   *[sandman] a { -role-sandman }.
    }
    .b = { $player }: { $role ->
    [fairy] a { -role-fairy }, of course.
    [boogeyman] a { -role-boogeyman }, would you believe it.
   *[sandman] a { -role-sandman }, all along.
    }
bonus_earned = Every right word was in the dream. Two more points for { $dreamer }.
    .b = { $dreamer } forgot nothing: two points on top.
bonus_missed = The dream was lovely, but { $words } got lost, so no bonus for { $dreamer }.
    .b = { $dreamer } forgot { $words }. No bonus this time.
no_bonus = Without a right guess there is no bonus.
night_points = { $player }: { $points ->
    [-1] minus one point.
    [1] one point.
   *[other] { $points } points.
    }
night_points_with_bonus = { $player }: { $points ->
    [-1] minus one point, with the bonus.
    [1] one point, with the bonus.
   *[other] { $points } points, with the bonus.
    }
totals = { $player } has { $points ->
    [-1] minus one point in all.
    [1] one point in all.
   *[other] { $points } points in all.
    }

## On request

whose_turn = { $player }'s turn.
turns_told = { $player }, I tell you.
turns_told_all = I call every turn.
turns_not_told = { $player }, no more.
turns_not_told_all = No more calls.
score_now = { $player }: { $points }.
score_nothing = No points yet.

## Refusals: one friendly sentence each, with what to do instead; those that can come at night are short

refuse_not_now = Not now, please; say help to hear what fits.
refuse_paused = We are paused; say resume first.
refuse_evening_is_over = The evening is over; start a new one to play on.
refuse_only_at_night = That belongs to the night; wait for the next one.
refuse_time_is_over = The dreamer guesses.
refuse_night_not_over = Dream on a little.
refuse_no_dream_to_tell = You are awake already; enjoy the day.
refuse_only_in_review = By day, please.
refuse_roles_later = Roles by day.
refuse_not_waiting = We are on our way already; just go on.
refuse_join_between_rounds = After this round.
refuse_only_dreamer_guesses = Only { $dreamer } guesses.
refuse_only_dreamer_gives_up = Only { $dreamer } gives up.
refuse_only_dreamer_corrects = Only { $dreamer } corrects.
refuse_only_dreamer_wakes = Only { $dreamer } can end the dream, by saying: I wake up.
refuse_dreamer_gives_no_clues = Guess, dreamer.
refuse_dreamer_cannot_pass = Guess, or give up.
refuse_dreamer_calls_no_foul = Givers judge that.
refuse_dreamer_makes_no_foul = { $player } only dreams.
refuse_not_your_turn = It is { $player }'s turn.
refuse_no_word = Which word?
refuse_nobody_spoke = Foul on whom?
refuse_foul_already_called = { $player } has it already.
refuse_nothing_to_withdraw = Nothing to withdraw.
refuse_nothing_to_correct = Nothing to correct.
refuse_no_such_player = Who is { $player }?
refuse_no_such_card = There is no card { $number }; please say another number.
refuse_given_up_stays = Card { $number } was given up, and that stays so; appeal another one.
refuse_already_appealed = Card { $number } was appealed already; choose another, or say no objections.
refuse_appeal_open = One at a time: first agree or disagree on card { $number }.
refuse_no_appeal_open = Nobody has appealed; say appeal and the number of a card first.
refuse_no_such_role = I know fairies, boogeymen and sandmen; which one was it?
refuse_dreamer_has_no_role = { $player } was the dreamer and has no role; who else was it?
refuse_role_all_taken = There is no { $role ->
    [fairy] { -role-fairy }
    [boogeyman] { -role-boogeyman }
   *[sandman] { -role-sandman }
    } left: { $players } said so before; say never mind to begin anew.
refuse_nobodys_turn = It is nobody's turn now; anyone may speak.
refuse_already_here = { $player } is here already; choose another name.
refuse_table_full = The table is full; you are welcome to watch.

## Dixit Odyssey: evening

odyssey_begins = Tonight at the table: { $players }. Let the pictures speak.
    .b = { $players }: may your words be neither too plain nor too dark.
team = { $players } play together.
    .b = A team: { $players }.
deal_hands = Please deal { $count } cards to each. Do not show them.
hands_dealt = Your cards are on your own screens, or in your own ear.
your_card = { $number }: { $scene }
ask_idea = Who has an idea for one of the own cards? Say: I have an idea.
    .b = Whoever has an idea first begins. Say: I have an idea.
next_storyteller = { $player } is the storyteller. When you have an idea, say: I have an idea.
    .b = The next storyteller is { $player }. Take your time, and then say: I have an idea.
draw_one = Everybody draws a card.
    .b = A new card for each of you.
draw_three = { $player } draws one card, you others two each.
draw_givers = Whoever gave a card draws a new one.
fill_hands = From now on each holds { $count } cards; please fill up.
pass_hands = And pass your hands to the left.
player_gone = Goodbye, { $player }.
    .b = { $player } leaves us. Good night, { $player }.
team_gone = So { $players } are out together; their points stay.
turn_void = This turn does not count; your cards are back in your hands.
turn_void_box = This turn does not count; please take your cards back.
too_few_for_odyssey = We are too few to play on, so the evening ends here.
odyssey_over = That was the last picture. Now let us count.
    .b = The pictures are told. Here is how it ends.
final_team_total = { $players }: { $points ->
    [1] one point.
   *[other] { $points } points.
    }
winning_team = { $players } win together with { $points ->
    [1] one point
   *[other] { $points } points
    }. Congratulations.

## Dixit Odyssey: a turn

ask_words = { $player }, what do you say to your card?
    .b = { $player }, a word, a sentence or a sound, please.
    .c = We listen, { $player }.
words_heard = { $player } says: { $words }.
    .b = The words of { $player }: { $words }.
sound_heard = That was the sound of { $player }; only { $player } can make it again.
ask_cards = { $count ->
    [1] Everybody chooses a card that fits, and says: I give three.
   *[other] You others choose two cards each, and say: I give three and five.
    }
ask_cards_down = { $count ->
    [1] Everybody puts down a card that fits, face down. Everybody ready?
   *[other] You others put down two cards each, face down. Everybody ready?
    }
card_given = Thank you, { $player }.
    .b = Noted, { $player }.
card_taken_back = { $player } takes it back.
cards_missing = I wait for { $players }.
    .b = Still missing: { $players }.
lay_cards = Shuffle the { $count } cards and lay them out, numbered from 1 to { $count }.
cards_lie = { $count } cards lie on the table.
scene_lies = Number { $number }: { $scene }
vote_one = Each of you chooses the number of the storyteller's card. At three, show it with your fingers: one, two, three!
    .b = Which is the storyteller's? Choose a number, and show it at three: one, two, three!
vote_one_or_two = Each of you chooses one number or two. At three, show them with your fingers: one, two, three!
    .b = Which is the storyteller's? One number or two. Show them at three: one, two, three!
vote_secret = Now vote in secret: each of you says the code word that stands for the storyteller's card.
    .b = A secret vote: say your own code word for the card that you take for the storyteller's.
your_code = { $number } is { $word }.
ask_vote = { $player }?
    .b = Your vote, { $player }?
    .c = And { $player }?
ask_red_vote = And the red vote, { $player }?
vote_heard = { $player }: { $numbers }.
vote_noted = { $player } has voted.
vote_taken_back = { $player } votes anew.
red_vote_heard = Red on { $number }.
red_vote_noted = The red vote is set.
votes_missing = I wait for the votes of { $players }.
    .b = No vote yet from { $players }.
votes_in = All votes are in.
    .b = That is everybody.

## Dixit Odyssey: the votes are shown

votes_shown = Here are the votes.
    .b = Let us see.
card_got = Number { $number }: { $players }.
red_lies = The red vote lies on number { $number }.
ask_story_card = { $player }, which card was yours?
    .b = And the storyteller's card, { $player }?
ask_owner = Whose is number { $number }?
    .b = Who gave number { $number }?
owner_heard = Number { $number } was given by { $player }.
    .b = { $number } is from { $player }.
claims_cleared = Once more, then.
own_vote_void = The vote of { $player } for the own card does not count.
own_red_void = The red vote on the own card of { $player } does not count.
story_card = The storyteller's card was number { $number }, by { $player }.
    .b = Number { $number } it was, the card of { $player }.
nobody_voted = Nobody is left who voted.
nobody_found = Nobody found it: two points for all but the storyteller.
    .b = Too dark: nobody found it, and all others get two points.
everybody_found = Everybody found it: two points for all but the storyteller.
    .b = Too plain: everybody found it, and all others get two points.
found_it = { $players } found it: three points, and three for the storyteller.
    .b = Found by { $players }. Three points, for the storyteller too.
fooled = { $player } fooled { $players }.
    .b = { $players } fell for the card of { $player }.
card_gains = Number { $number } brings { $player } { $points } points.
voters_gain = Number { $number } brings { $points } points each to { $players }.
no_card_gains = No card brings a point this time.
turn_points = { $player }: { $points ->
    [0] nothing,
    [1] one point,
   *[other] { $points } points,
    } { $total } in all.
team_points = { $players }: { $points ->
    [0] nothing,
    [1] one point,
   *[other] { $points } points,
    } { $total } in all.

## Dixit Odyssey: on request

cards_told = Your cards, { $player }, in your own ear.
team_score_now = { $players }: { $points }.

## Dixit Odyssey: refusals

refuse_game_is_over = The evening is over; start a new one to play on.
refuse_not_yours = Only { $player } can say that now.
refuse_who_has_idea = Who has the idea; say your name, like: Ben has an idea?
refuse_no_words = I heard no words; please say them again.
refuse_no_words_yet = There are no words yet; the storyteller has to speak first.
refuse_words_are_said = The words are said already; now they have to be found.
refuse_words_first = First the storyteller speaks; then everybody gives a card.
refuse_words_before_cards = Speak before you look, storyteller; after your words you get to see your cards.
refuse_cards_first = First everybody gives a card; then we vote.
refuse_cards_unseen = I cannot see your own cards; just put one down and say that you are ready.
refuse_no_cards_now = The cards are given already; now we vote.
refuse_no_cards_lie = No cards of mine lie on the table now; wait until everybody has given one.
refuse_who_gives = Whose card is it; say a name, like: Ben is ready, or Ben gives three?
refuse_which_card = Which number, please?
refuse_has_given = { $player } has given already; say, I take it back, to choose anew.
refuse_team_has_given = { $player } has given for your team already, so you will vote.
refuse_too_many_cards = { $count ->
    [1] That is one card too many, { $player }; please give just one.
   *[other] Those are too many cards, { $player }; please give { $count }.
    }
refuse_not_in_hand = There is no card { $number } in that hand, { $player }; choose another.
refuse_cards_missing = I still wait for a card from { $players }.
refuse_nothing_given = { $player } has not given a card yet, so there is nothing to take back.
refuse_nothing_to_take_back = There is nothing to take back now.
refuse_whose_cards = Whose cards shall I tell; say, for example: read Ben the cards?
refuse_who_votes = Whose vote is it; say a name, like: Ben votes four?
refuse_no_votes_now = There is nothing to vote on now; wait until the cards lie on the table.
refuse_has_voted = { $player } has voted; to change it, say: no, Ben votes four.
refuse_team_has_voted = { $player } has voted for your team already.
refuse_storyteller_votes_not = { $player } is the storyteller and does not vote this time.
refuse_partner_votes_not = { $player } plays with the storyteller and does not vote this time.
refuse_giver_votes_not = { $player } gave the card, so the partner votes.
refuse_votes_equal = Two votes need two different numbers, { $player }; please choose again.
refuse_one_vote_only = One number is enough here, { $player }; please choose one.
refuse_own_card = Number { $number } is your own, { $player }; please choose another.
refuse_no_red_vote = There is no red vote in this game; just vote.
refuse_no_codes = This vote is no secret; just say the number.
refuse_no_such_code = Nobody has that word now; please say one of yours again.
refuse_not_your_code = That word belongs to another; please say one of yours.
refuse_vote_by_code = Please do not say the number; say your code word for it.
refuse_nothing_voted = { $player } has not voted yet, so there is nothing to take back.
refuse_votes_missing = I still wait for the votes of { $players }.
refuse_red_vote_missing = The red vote is still missing, { $player }; say, for example: red on two.
refuse_whose_card = Whose card is it; please say the name?
refuse_owns_another = { $player } gave number { $number } already; say never mind to begin anew.
refuse_nothing_claimed = I do not know any owner yet, so there is nothing to forget.
refuse_no_owners_now = First we vote; whose card is whose I ask afterwards.
refuse_no_joining = Nobody can join a game that runs; you are welcome in the next one.
refuse_nothing_waits = Nobody waits for that now; just go on.

## Help, for each phase

help_counting = Tell me how many of you are playing, for example: five.
help_naming = Say your names one after another, clockwise. If I got one wrong, say no, and the right name.
help_asking_oldest = Say the name of the oldest player, who will dream first.
help_starting = Say start to begin, no to go one step back, or start over for new names.
help_called_off = The evening is over. Start me again for a new one.
help_falling = When the cards are dealt and looked at, say ready. The dreamer's eyes are covered, please.
help_night = Guess, clue or pass.
help_last_guess = One last guess.
help_story = Tell your dream with all the words you guessed. At the end, say: I wake up.
help_review = Say appeal and the number of a card to have it judged by the table. Say no objections to go on.
help_role_reveal = Say who had which role, for example: Ben was the fairy. I was the sandman is fine, too, if I know your voice.
help_between = Say ready for the next dream. Before that, somebody may join or leave.
help_finished = The evening is over. You can still ask for the score.
help_idea = Whoever is the storyteller thinks of something for one card, and says: I have an idea. Somebody may leave now.
help_telling = Storyteller, your next words are the ones for your card. If it was a sound, say: that was my sound.
help_giving = Give a card that fits the words. With my cards say, I give three; with your own, say that you are ready.
help_voting = Say your vote, for example: Ben votes four. To change it, say: no, Ben votes five. Then say: show the votes.
help_owners = Tell me whose card it is, for example: it is Ben's. Say never mind to begin anew.
