//! The instruction set (JVMS 6.5): numbers, lengths, and how many slots each instruction takes and leaves.

pub(crate) const ACONST_NULL: u8 = 1;
pub(crate) const ICONST_M1: u8 = 2;
pub(crate) const ICONST_0: u8 = 3;
pub(crate) const ICONST_5: u8 = 8;
pub(crate) const BIPUSH: u8 = 16;
pub(crate) const SIPUSH: u8 = 17;
pub(crate) const LDC: u8 = 18;
pub(crate) const LDC_W: u8 = 19;
pub(crate) const LDC2_W: u8 = 20;
pub(crate) const ILOAD: u8 = 21;
pub(crate) const ILOAD_0: u8 = 26;
pub(crate) const ILOAD_3: u8 = 29;
pub(crate) const DLOAD: u8 = 24;
pub(crate) const ALOAD: u8 = 25;
pub(crate) const ALOAD_0: u8 = 42;
pub(crate) const ALOAD_3: u8 = 45;
pub(crate) const IALOAD: u8 = 46;
pub(crate) const AALOAD: u8 = 50;
pub(crate) const SALOAD: u8 = 53;
pub(crate) const ISTORE: u8 = 54;
pub(crate) const LSTORE: u8 = 55;
pub(crate) const DSTORE: u8 = 57;
pub(crate) const ASTORE: u8 = 58;
pub(crate) const ISTORE_0: u8 = 59;
pub(crate) const ASTORE_0: u8 = 75;
pub(crate) const ASTORE_3: u8 = 78;
pub(crate) const IASTORE: u8 = 79;
pub(crate) const LASTORE: u8 = 80;
pub(crate) const DASTORE: u8 = 82;
pub(crate) const AASTORE: u8 = 83;
pub(crate) const SASTORE: u8 = 86;
pub(crate) const POP: u8 = 87;
pub(crate) const POP2: u8 = 88;
pub(crate) const DUP: u8 = 89;
pub(crate) const DUP_X1: u8 = 90;
pub(crate) const DUP_X2: u8 = 91;
pub(crate) const DUP2: u8 = 92;
pub(crate) const IADD: u8 = 96;
pub(crate) const ISUB: u8 = 100;
pub(crate) const IMUL: u8 = 104;
pub(crate) const IDIV: u8 = 108;
pub(crate) const LDIV: u8 = 109;
pub(crate) const IREM: u8 = 112;
pub(crate) const LREM: u8 = 113;
pub(crate) const ISHL: u8 = 120;
pub(crate) const ISHR: u8 = 122;
pub(crate) const IUSHR: u8 = 124;
pub(crate) const IAND: u8 = 126;
pub(crate) const LXOR: u8 = 131;
pub(crate) const IINC: u8 = 132;
pub(crate) const I2L: u8 = 133;
pub(crate) const DCMPG: u8 = 152;
pub(crate) const DUP2_X1: u8 = 93;
pub(crate) const DUP2_X2: u8 = 94;
pub(crate) const SWAP: u8 = 95;
pub(crate) const IFEQ: u8 = 153;
pub(crate) const IF_ICMPLE: u8 = 164;
pub(crate) const GOTO: u8 = 167;
pub(crate) const JSR: u8 = 168;
pub(crate) const RET: u8 = 169;
pub(crate) const TABLESWITCH: u8 = 170;
pub(crate) const LOOKUPSWITCH: u8 = 171;
pub(crate) const IRETURN: u8 = 172;
pub(crate) const LRETURN: u8 = 173;
pub(crate) const ARETURN: u8 = 176;
pub(crate) const RETURN: u8 = 177;
pub(crate) const GETSTATIC: u8 = 178;
pub(crate) const PUTSTATIC: u8 = 179;
pub(crate) const GETFIELD: u8 = 180;
pub(crate) const PUTFIELD: u8 = 181;
pub(crate) const INVOKEVIRTUAL: u8 = 182;
pub(crate) const INVOKESPECIAL: u8 = 183;
pub(crate) const INVOKESTATIC: u8 = 184;
pub(crate) const INVOKEINTERFACE: u8 = 185;
pub(crate) const INVOKEDYNAMIC: u8 = 186;
pub(crate) const NEW: u8 = 187;
pub(crate) const NEWARRAY: u8 = 188;
pub(crate) const ANEWARRAY: u8 = 189;
pub(crate) const ATHROW: u8 = 191;
pub(crate) const CHECKCAST: u8 = 192;
pub(crate) const MONITORENTER: u8 = 194;
pub(crate) const MONITOREXIT: u8 = 195;
pub(crate) const WIDE: u8 = 196;
pub(crate) const MULTIANEWARRAY: u8 = 197;
pub(crate) const IFNULL: u8 = 198;
pub(crate) const IFNONNULL: u8 = 199;
pub(crate) const GOTO_W: u8 = 200;
pub(crate) const JSR_W: u8 = 201;

/// Length in bytes with operands; 0 for what is no instruction, and for the three whose length varies (`wide` and the
/// switches).
pub(crate) fn length(opcode: u8) -> usize {
    LENGTHS[usize::from(opcode)].into()
}

/// A table, because every instruction of every class asks for its length.
const LENGTHS: [u8; 256] = {
    let mut lengths = [0; 256];
    let mut opcode = 0;
    while opcode < 256 {
        lengths[opcode] = length_of(opcode as u8);
        opcode += 1;
    }
    lengths
};

const fn length_of(opcode: u8) -> u8 {
    match opcode {
        BIPUSH | LDC | ILOAD..=ALOAD | ISTORE..=ASTORE | RET | NEWARRAY => 2,
        SIPUSH
        | LDC_W
        | LDC2_W
        | 132
        | 153..=JSR
        | GETSTATIC..=INVOKESTATIC
        | 187
        | ANEWARRAY
        | CHECKCAST
        | 193
        | IFNULL
        | IFNONNULL => 3,
        MULTIANEWARRAY => 4,
        INVOKEINTERFACE | INVOKEDYNAMIC | GOTO_W | JSR_W => 5,
        TABLESWITCH | LOOKUPSWITCH | WIDE | 202.. => 0,
        _ => 1,
    }
}

/// Whether the operands begin with the index of a constant: of two bytes, except for `ldc`.
pub(crate) const fn has_index(opcode: u8) -> bool {
    matches!(opcode, LDC..=LDC2_W | GETSTATIC..=187 | ANEWARRAY | CHECKCAST | 193 | MULTIANEWARRAY)
}

/// How many local variables there have to be for an instruction.
pub(crate) fn locals_used(instruction: &[u8]) -> u32 {
    let Some((opcode, local)) = local(instruction) else { return 0 };
    let is_wide = matches!(opcode, 22 | 24 | LSTORE | DSTORE);
    u32::from(local) + 1 + u32::from(is_wide)
}

/// The local variable that the instruction loads.
pub(crate) fn loaded(instruction: &[u8]) -> Option<u16> {
    local(instruction).filter(|(opcode, _)| (ILOAD..=ALOAD).contains(opcode)).map(|(_, local)| local)
}

/// The local variable that the instruction assigns to.
pub(crate) fn assigned(instruction: &[u8]) -> Option<u16> {
    local(instruction).filter(|(opcode, _)| matches!(*opcode, ISTORE..=ASTORE | IINC)).map(|(_, local)| local)
}

/// The local variable that the instruction names, with the opcode of the form that has it as an operand.
fn local(instruction: &[u8]) -> Option<(u8, u16)> {
    match *instruction {
        [opcode @ (ILOAD..=ALOAD | ISTORE..=ASTORE | RET | IINC), local, ..] => Some((opcode, local.into())),
        [opcode @ 26..=ALOAD_3] => Some((ILOAD + (opcode - 26) / 4, u16::from(opcode - 26) % 4)),
        [opcode @ ISTORE_0..=ASTORE_3] => Some((ISTORE + (opcode - ISTORE_0) / 4, u16::from(opcode - ISTORE_0) % 4)),
        [WIDE, opcode, high, low, ..] => Some((opcode, u16::from_be_bytes([high, low]))),
        _ => None,
    }
}

/// Whether the instruction has a two-byte branch offset.
pub(crate) const fn is_short_branch(opcode: u8) -> bool {
    matches!(opcode, 153..=JSR | IFNULL | IFNONNULL)
}

/// Whether the instruction after it is reached only by jumps.
pub(crate) const fn ends_flow(opcode: u8) -> bool {
    matches!(opcode, GOTO | RET..=RETURN | ATHROW | GOTO_W)
}

pub(crate) const fn is_return(opcode: u8) -> bool {
    matches!(opcode, IRETURN..=RETURN)
}

pub(crate) const fn is_array_load(opcode: u8) -> bool {
    matches!(opcode, IALOAD..=SALOAD)
}

pub(crate) const fn is_array_store(opcode: u8) -> bool {
    matches!(opcode, IASTORE..=SASTORE)
}

/// Slots taken from and left on the stack, for instructions that neither depend on a constant nor move references that
/// the simulation follows (those count here as 0, 0).
pub(crate) fn effect(opcode: u8) -> (u8, u8) {
    EFFECTS[usize::from(opcode)]
}

const EFFECTS: [(u8, u8); 256] = {
    let mut effects = [(0, 0); 256];
    let mut opcode = 0;
    while opcode < 256 {
        effects[opcode] = effect_of(opcode as u8);
        opcode += 1;
    }
    effects
};

const fn effect_of(opcode: u8) -> (u8, u8) {
    match opcode {
        1..=8 | 11..=13 | BIPUSH..=LDC_W | ILOAD | 23 | 26..=29 | 34..=37 | JSR | 187 | JSR_W => (0, 1),
        9 | 10 | 14 | 15 | LDC2_W | 22 | 24 | 30..=33 | 38..=41 => (0, 2),
        47 | 49 => (2, 2),
        IALOAD..=SALOAD => (2, 1),
        ISTORE | 56 | 59..=62 | 67..=70 | POP => (1, 0),
        LSTORE | DSTORE | 63..=66 | 71..=74 | POP2 => (2, 0),
        LASTORE | DASTORE => (4, 0),
        IASTORE..=SASTORE => (3, 0),
        96 | 98 | 100 | 102 | 104 | 106 | 108 | 110 | 112 | 114 | 120 | 122 | 124 | 126 | 128 | 130 => (2, 1),
        97 | 99 | 101 | 103 | 105 | 107 | 109 | 111 | 113 | 115 | 127 | 129 | 131 => (4, 2),
        121 | 123 | 125 => (3, 2),
        116 | 118 | 134 | 139 | 145..=147 | NEWARRAY..=190 | 193 => (1, 1),
        117 | 119 | 138 | 143 => (2, 2),
        133 | 135 | 140 | 141 => (1, 2),
        136 | 137 | 142 | 144 | 149 | 150 => (2, 1),
        148 | 151 | 152 => (4, 1),
        153..=158
        | TABLESWITCH..=IRETURN
        | 174
        | ARETURN
        | ATHROW
        | MONITORENTER
        | MONITOREXIT
        | IFNULL
        | IFNONNULL => (1, 0),
        159..=166 | LRETURN | 175 => (2, 0),
        _ => (0, 0),
    }
}
