//! The instruction set (JVMS 6.5): numbers, lengths, and how many slots each instruction takes and leaves.

macro_rules! opcodes {
    ($($name:ident = $number:literal, $length:literal, $takes:literal => $leaves:literal;)*) => {
        $(#[allow(missing_docs, reason = "named as in the specification")] pub const $name: u8 = $number;)*

        const LENGTHS: [u8; 256] = {
            let mut lengths = [0; 256];
            $(lengths[$number] = $length;)*
            lengths
        };

        const EFFECTS: [(u8, u8); 256] = {
            let mut effects = [(0, 0); 256];
            $(effects[$number] = ($takes, $leaves);)*
            effects
        };
    };
}

// Number, length in bytes with operands (0 if it varies), slots taken from and left on the stack.
opcodes! {
    NOP = 0, 1, 0 => 0;
    ACONST_NULL = 1, 1, 0 => 1;
    ICONST_M1 = 2, 1, 0 => 1;
    ICONST_0 = 3, 1, 0 => 1;
    ICONST_1 = 4, 1, 0 => 1;
    ICONST_2 = 5, 1, 0 => 1;
    ICONST_3 = 6, 1, 0 => 1;
    ICONST_4 = 7, 1, 0 => 1;
    ICONST_5 = 8, 1, 0 => 1;
    LCONST_0 = 9, 1, 0 => 2;
    LCONST_1 = 10, 1, 0 => 2;
    FCONST_0 = 11, 1, 0 => 1;
    FCONST_1 = 12, 1, 0 => 1;
    FCONST_2 = 13, 1, 0 => 1;
    DCONST_0 = 14, 1, 0 => 2;
    DCONST_1 = 15, 1, 0 => 2;
    BIPUSH = 16, 2, 0 => 1;
    SIPUSH = 17, 3, 0 => 1;
    LDC = 18, 2, 0 => 1;
    LDC_W = 19, 3, 0 => 1;
    LDC2_W = 20, 3, 0 => 2;
    ILOAD = 21, 2, 0 => 1;
    LLOAD = 22, 2, 0 => 2;
    FLOAD = 23, 2, 0 => 1;
    DLOAD = 24, 2, 0 => 2;
    ALOAD = 25, 2, 0 => 1;
    ILOAD_0 = 26, 1, 0 => 1;
    ILOAD_1 = 27, 1, 0 => 1;
    ILOAD_2 = 28, 1, 0 => 1;
    ILOAD_3 = 29, 1, 0 => 1;
    LLOAD_0 = 30, 1, 0 => 2;
    LLOAD_1 = 31, 1, 0 => 2;
    LLOAD_2 = 32, 1, 0 => 2;
    LLOAD_3 = 33, 1, 0 => 2;
    FLOAD_0 = 34, 1, 0 => 1;
    FLOAD_1 = 35, 1, 0 => 1;
    FLOAD_2 = 36, 1, 0 => 1;
    FLOAD_3 = 37, 1, 0 => 1;
    DLOAD_0 = 38, 1, 0 => 2;
    DLOAD_1 = 39, 1, 0 => 2;
    DLOAD_2 = 40, 1, 0 => 2;
    DLOAD_3 = 41, 1, 0 => 2;
    ALOAD_0 = 42, 1, 0 => 1;
    ALOAD_1 = 43, 1, 0 => 1;
    ALOAD_2 = 44, 1, 0 => 1;
    ALOAD_3 = 45, 1, 0 => 1;
    IALOAD = 46, 1, 2 => 1;
    LALOAD = 47, 1, 2 => 2;
    FALOAD = 48, 1, 2 => 1;
    DALOAD = 49, 1, 2 => 2;
    AALOAD = 50, 1, 2 => 1;
    BALOAD = 51, 1, 2 => 1;
    CALOAD = 52, 1, 2 => 1;
    SALOAD = 53, 1, 2 => 1;
    ISTORE = 54, 2, 1 => 0;
    LSTORE = 55, 2, 2 => 0;
    FSTORE = 56, 2, 1 => 0;
    DSTORE = 57, 2, 2 => 0;
    ASTORE = 58, 2, 1 => 0;
    ISTORE_0 = 59, 1, 1 => 0;
    ISTORE_1 = 60, 1, 1 => 0;
    ISTORE_2 = 61, 1, 1 => 0;
    ISTORE_3 = 62, 1, 1 => 0;
    LSTORE_0 = 63, 1, 2 => 0;
    LSTORE_1 = 64, 1, 2 => 0;
    LSTORE_2 = 65, 1, 2 => 0;
    LSTORE_3 = 66, 1, 2 => 0;
    FSTORE_0 = 67, 1, 1 => 0;
    FSTORE_1 = 68, 1, 1 => 0;
    FSTORE_2 = 69, 1, 1 => 0;
    FSTORE_3 = 70, 1, 1 => 0;
    DSTORE_0 = 71, 1, 2 => 0;
    DSTORE_1 = 72, 1, 2 => 0;
    DSTORE_2 = 73, 1, 2 => 0;
    DSTORE_3 = 74, 1, 2 => 0;
    ASTORE_0 = 75, 1, 1 => 0;
    ASTORE_1 = 76, 1, 1 => 0;
    ASTORE_2 = 77, 1, 1 => 0;
    ASTORE_3 = 78, 1, 1 => 0;
    IASTORE = 79, 1, 3 => 0;
    LASTORE = 80, 1, 4 => 0;
    FASTORE = 81, 1, 3 => 0;
    DASTORE = 82, 1, 4 => 0;
    AASTORE = 83, 1, 3 => 0;
    BASTORE = 84, 1, 3 => 0;
    CASTORE = 85, 1, 3 => 0;
    SASTORE = 86, 1, 3 => 0;
    POP = 87, 1, 1 => 0;
    POP2 = 88, 1, 2 => 0;
    DUP = 89, 1, 1 => 2;
    DUP_X1 = 90, 1, 2 => 3;
    DUP_X2 = 91, 1, 3 => 4;
    DUP2 = 92, 1, 2 => 4;
    DUP2_X1 = 93, 1, 3 => 5;
    DUP2_X2 = 94, 1, 4 => 6;
    SWAP = 95, 1, 2 => 2;
    IADD = 96, 1, 2 => 1;
    LADD = 97, 1, 4 => 2;
    FADD = 98, 1, 2 => 1;
    DADD = 99, 1, 4 => 2;
    ISUB = 100, 1, 2 => 1;
    LSUB = 101, 1, 4 => 2;
    FSUB = 102, 1, 2 => 1;
    DSUB = 103, 1, 4 => 2;
    IMUL = 104, 1, 2 => 1;
    LMUL = 105, 1, 4 => 2;
    FMUL = 106, 1, 2 => 1;
    DMUL = 107, 1, 4 => 2;
    IDIV = 108, 1, 2 => 1;
    LDIV = 109, 1, 4 => 2;
    FDIV = 110, 1, 2 => 1;
    DDIV = 111, 1, 4 => 2;
    IREM = 112, 1, 2 => 1;
    LREM = 113, 1, 4 => 2;
    FREM = 114, 1, 2 => 1;
    DREM = 115, 1, 4 => 2;
    INEG = 116, 1, 1 => 1;
    LNEG = 117, 1, 2 => 2;
    FNEG = 118, 1, 1 => 1;
    DNEG = 119, 1, 2 => 2;
    ISHL = 120, 1, 2 => 1;
    LSHL = 121, 1, 3 => 2;
    ISHR = 122, 1, 2 => 1;
    LSHR = 123, 1, 3 => 2;
    IUSHR = 124, 1, 2 => 1;
    LUSHR = 125, 1, 3 => 2;
    IAND = 126, 1, 2 => 1;
    LAND = 127, 1, 4 => 2;
    IOR = 128, 1, 2 => 1;
    LOR = 129, 1, 4 => 2;
    IXOR = 130, 1, 2 => 1;
    LXOR = 131, 1, 4 => 2;
    IINC = 132, 3, 0 => 0;
    I2L = 133, 1, 1 => 2;
    I2F = 134, 1, 1 => 1;
    I2D = 135, 1, 1 => 2;
    L2I = 136, 1, 2 => 1;
    L2F = 137, 1, 2 => 1;
    L2D = 138, 1, 2 => 2;
    F2I = 139, 1, 1 => 1;
    F2L = 140, 1, 1 => 2;
    F2D = 141, 1, 1 => 2;
    D2I = 142, 1, 2 => 1;
    D2L = 143, 1, 2 => 2;
    D2F = 144, 1, 2 => 1;
    I2B = 145, 1, 1 => 1;
    I2C = 146, 1, 1 => 1;
    I2S = 147, 1, 1 => 1;
    LCMP = 148, 1, 4 => 1;
    FCMPL = 149, 1, 2 => 1;
    FCMPG = 150, 1, 2 => 1;
    DCMPL = 151, 1, 4 => 1;
    DCMPG = 152, 1, 4 => 1;
    IFEQ = 153, 3, 1 => 0;
    IFNE = 154, 3, 1 => 0;
    IFLT = 155, 3, 1 => 0;
    IFGE = 156, 3, 1 => 0;
    IFGT = 157, 3, 1 => 0;
    IFLE = 158, 3, 1 => 0;
    IF_ICMPEQ = 159, 3, 2 => 0;
    IF_ICMPNE = 160, 3, 2 => 0;
    IF_ICMPLT = 161, 3, 2 => 0;
    IF_ICMPGE = 162, 3, 2 => 0;
    IF_ICMPGT = 163, 3, 2 => 0;
    IF_ICMPLE = 164, 3, 2 => 0;
    IF_ACMPEQ = 165, 3, 2 => 0;
    IF_ACMPNE = 166, 3, 2 => 0;
    GOTO = 167, 3, 0 => 0;
    JSR = 168, 3, 0 => 1;
    RET = 169, 2, 0 => 0;
    TABLESWITCH = 170, 0, 1 => 0;
    LOOKUPSWITCH = 171, 0, 1 => 0;
    IRETURN = 172, 1, 1 => 0;
    LRETURN = 173, 1, 2 => 0;
    FRETURN = 174, 1, 1 => 0;
    DRETURN = 175, 1, 2 => 0;
    ARETURN = 176, 1, 1 => 0;
    RETURN = 177, 1, 0 => 0;
    GETSTATIC = 178, 3, 0 => 0;
    PUTSTATIC = 179, 3, 0 => 0;
    GETFIELD = 180, 3, 0 => 0;
    PUTFIELD = 181, 3, 0 => 0;
    INVOKEVIRTUAL = 182, 3, 0 => 0;
    INVOKESPECIAL = 183, 3, 0 => 0;
    INVOKESTATIC = 184, 3, 0 => 0;
    INVOKEINTERFACE = 185, 5, 0 => 0;
    INVOKEDYNAMIC = 186, 5, 0 => 0;
    NEW = 187, 3, 0 => 1;
    NEWARRAY = 188, 2, 1 => 1;
    ANEWARRAY = 189, 3, 1 => 1;
    ARRAYLENGTH = 190, 1, 1 => 1;
    ATHROW = 191, 1, 1 => 0;
    CHECKCAST = 192, 3, 1 => 1;
    INSTANCEOF = 193, 3, 1 => 1;
    MONITORENTER = 194, 1, 1 => 0;
    MONITOREXIT = 195, 1, 1 => 0;
    WIDE = 196, 0, 0 => 0;
    MULTIANEWARRAY = 197, 4, 0 => 0;
    IFNULL = 198, 3, 1 => 0;
    IFNONNULL = 199, 3, 1 => 0;
    GOTO_W = 200, 5, 0 => 0;
    JSR_W = 201, 5, 0 => 1;
}

/// Length in bytes with operands; 0 for what is no instruction, and for the three whose length varies (`wide` and the
/// switches).
#[must_use]
#[inline]
pub const fn length(opcode: u8) -> usize {
    LENGTHS[opcode as usize] as usize
}

/// Slots taken from and left on the stack; 0 and 0 where that depends on the operands (members, `multianewarray`, `wide`).
#[must_use]
#[inline]
pub const fn effect(opcode: u8) -> (u8, u8) {
    EFFECTS[opcode as usize]
}

/// Whether the operands begin with the index of a constant: of two bytes, except for `ldc`.
#[must_use]
#[inline]
pub const fn has_index(opcode: u8) -> bool {
    matches!(opcode, LDC..=LDC2_W | GETSTATIC..=NEW | ANEWARRAY | CHECKCAST | INSTANCEOF | MULTIANEWARRAY)
}

/// Whether the instruction has a two-byte branch offset.
#[must_use]
#[inline]
pub const fn is_short_branch(opcode: u8) -> bool {
    matches!(opcode, IFEQ..=JSR | IFNULL | IFNONNULL)
}

/// Whether the instruction after it is reached only by jumps.
#[must_use]
#[inline]
pub const fn ends_flow(opcode: u8) -> bool {
    matches!(opcode, GOTO | RET..=RETURN | ATHROW | GOTO_W)
}

/// Whether the method ends with it, without an exception.
#[must_use]
#[inline]
pub const fn is_return(opcode: u8) -> bool {
    matches!(opcode, IRETURN..=RETURN)
}

/// Whether it reads an element of an array.
#[must_use]
#[inline]
pub const fn is_array_load(opcode: u8) -> bool {
    matches!(opcode, IALOAD..=SALOAD)
}

/// Whether it writes an element of an array.
#[must_use]
#[inline]
pub const fn is_array_store(opcode: u8) -> bool {
    matches!(opcode, IASTORE..=SASTORE)
}
