"""What the pause behind a word says of the mark there.

Log-odds of a mark against none, beside what they are on average, by the seconds to the next word;
in between they are on a line. From the words of a recogniser that were aligned with the sound
(WhisperX, a meeting of 1,900 words; `bench/experiments/pauses.py`), less a quarter, as what words
say of a gap and what the pause says are not independent.
"""

cdef extern from *:
    """
    #define TRUECASE_N_PAUSES 8
    static const float truecase_pause_seconds[TRUECASE_N_PAUSES] = {
        0.0f, 0.1f, 0.25f, 0.4f, 0.65f, 1.0f, 1.6f, 2.5f};
    static const float truecase_pause_ends[TRUECASE_N_PAUSES] = {
        -2.1f, -0.6f, 0.3f, 0.9f, 1.8f, 2.3f, 2.6f, 2.9f};
    static const float truecase_pause_others[TRUECASE_N_PAUSES] = {
        -0.9f, -0.3f, 0.5f, 0.8f, 1.8f, 1.8f, 1.2f, 1.0f};
    """
    enum:
        N_PAUSES "TRUECASE_N_PAUSES"
    const float* SECONDS "truecase_pause_seconds"
    const float* OF_ENDS "truecase_pause_ends"
    const float* OF_OTHERS "truecase_pause_others"


cdef inline float pause_nats(float seconds, bint ends_sentence) noexcept nogil:
    """What is added to the score of a mark; `seconds` are not negative."""
    cdef const float* nats = OF_ENDS if ends_sentence else OF_OTHERS
    cdef int k = 1
    if seconds >= SECONDS[<int>N_PAUSES - 1]:
        return nats[<int>N_PAUSES - 1]
    while seconds > SECONDS[k]:
        k += 1
    return nats[k - 1] + (nats[k] - nats[k - 1]) * (
        (seconds - SECONDS[k - 1]) / (SECONDS[k] - SECONDS[k - 1]))
